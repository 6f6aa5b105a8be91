import { boxOfPixelCorners } from '../kit/corner-box.ts';
import { labelAt } from '../kit/image-files/image-documents.ts';
import { brief, RecordError, isRecord } from '../kit/records.ts';
import { addDecimals } from '../kit/short-decimals.ts';
import { attributesOfRecord, type ExtraFields, readExtraFields, readPairs } from '../kit/extra-fields.ts';
import type { FormatReport } from '../kit/report.ts';
import type { Attribute, LabeledShape, LabelInfo } from '../kit/task-data.ts';

export type Outline = Pick<LabeledShape, 'type' | 'points' | 'rotation'>;

export interface MaskOutline {
  readonly type: 'mask';
  readonly image: Buffer;
  readonly left: number;
  readonly top: number;
}

export interface ReadShape {
  readonly label: string;
  readonly outline: Outline | MaskOutline;
  readonly groupId: unknown;
  readonly attributes: readonly Attribute[];
  readonly extra: ExtraFields;
}

type Reader = (points: readonly number[]) => Outline | string;

function counted(least: number, most: number, read: Reader): Reader {
  return (points) => {
    const count = points.length / 2;
    if (count >= least && count <= most) return read(points);
    return `needs ${least === most ? least : `${least} or more`} points, but has ${count}`;
  };
}

function rectangle([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): Outline {
  return { type: 'rectangle', points: [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)] };
}

function corners(points: readonly number[]): Outline {
  return { type: 'rectangle', ...boxOfPixelCorners(points) };
}

/** Center, and a point on the circle. */
function circle([x = 0, y = 0, edgeX = 0, edgeY = 0]: readonly number[]): Outline {
  const radius = edgeY === y ? Math.abs(addDecimals(edgeX, -x)) : Math.hypot(edgeX - x, edgeY - y);
  return { type: 'ellipse', points: [x, y, addDecimals(x, radius), addDecimals(y, -radius)] };
}

const plain =
  (type: LabeledShape['type']): Reader =>
  (points) => ({ type, points });

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['polygon', counted(3, Infinity, plain('polygon'))],
  ['quadrilateral', counted(4, 4, plain('polygon'))],
  // Some programs write all four corners.
  ['rectangle', counted(2, 4, (points) => (points.length === 4 ? rectangle(points) : corners(points)))],
  ['rotation', counted(4, 4, corners)],
  ['oriented_rectangle', counted(4, 4, corners)],
  ['circle', counted(2, 2, circle)],
  ['line', counted(2, 2, plain('polyline'))],
  ['linestrip', counted(2, Infinity, plain('polyline'))],
  ['point', counted(1, 1, plain('points'))],
  ['points', counted(1, Infinity, plain('points'))],
]);

function maskOutline(points: readonly number[], mask: unknown): MaskOutline {
  if (typeof mask !== 'string' || mask === '')
    throw new RecordError('mask', `must be an image in base64, but is ${brief(mask)}`);
  if (points.length !== 4)
    throw new RecordError('points', `must be the two corners of the mask, but are ${points.length / 2}`);
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  return {
    type: 'mask',
    image: Buffer.from(mask, 'base64'),
    left: Math.round(Math.min(x1, x2)),
    top: Math.round(Math.min(y1, y2)),
  };
}

function outlineOf(shape: Readonly<Record<string, unknown>>): Outline | MaskOutline {
  // Old files have no type, because all shapes were polygons.
  const type = shape['shape_type'] ?? 'polygon';
  const points = readPairs(shape['points'], 'points');
  if (type === 'mask') return maskOutline(points, shape['mask']);
  const read = typeof type === 'string' ? readers.get(type) : undefined;
  if (!read) throw new RecordError('shape_type', `is ${brief(type)}, which is not a supported shape type`);
  const outline = read(points);
  if (typeof outline === 'string') throw new RecordError('points', `a ${String(type)} ${outline}`);
  return outline;
}

/** Members that become attributes if the label has them or their value is not the default. */
function ownAttributes(shape: Readonly<Record<string, unknown>>, label: LabelInfo | undefined): Attribute[] {
  const { description, difficult } = shape;
  const has = (name: string): boolean => label?.attributes.some((one) => one.name === name) ?? false;
  return [
    ...(typeof description === 'string' && (description !== '' || has('description'))
      ? [{ name: 'description', value: description }]
      : []),
    ...(typeof difficult === 'boolean' && (difficult || has('difficult'))
      ? [{ name: 'difficult', value: String(difficult) }]
      : []),
  ];
}

/** Reads one shape. Throws `RecordError` with the path below the shape. */
export function readLabelMeShape(
  value: unknown,
  labelInfo: (name: string) => LabelInfo | undefined,
  report: FormatReport,
): ReadShape {
  if (!isRecord(value)) throw new RecordError('', `must be an object, but is ${brief(value)}`);
  const label = labelAt(value['label'], 'label');
  const lose = (rule: string): void => report.dropped('attribute', label, rule);
  const attributes = new Map(
    [
      ...attributesOfRecord(value['flags'], lose),
      ...attributesOfRecord(value['attributes'], lose),
      ...ownAttributes(value, labelInfo(label)),
    ].map((attribute) => [attribute.name, attribute]),
  );
  const links = value['kie_linking'];
  if (Array.isArray(links) && links.length > 0)
    report.dropped('attribute', label, 'A task has no links between shapes (kie_linking).');
  return {
    label,
    outline: outlineOf(value),
    groupId: value['group_id'],
    attributes: [...attributes.values()],
    extra: readExtraFields(value, lose),
  };
}
