import { numbersAt } from '../kit/extra-fields.ts';
import type { ObjectPlace } from '../kit/image-files/image-documents.ts';
import { brief, isFiniteNumber, isRecord, optionalRecord, RecordError } from '../kit/records.ts';
import { addDecimals, ellipsePoints, withoutNoise } from '../kit/short-decimals.ts';
import type { Attribute, LabeledShape } from '../kit/task-data.ts';

/** Members of `shape_attributes`. */
export const shapeMembers = 'name x y width height cx cy r rx ry theta all_points_x all_points_y'.split(' ');
/** File attribute in which Limner writes image labels. */
export const tagsAttribute = 'labels';
/** Possible names of the attribute that holds the label, which projects choose freely. */
const labelNames = ['label', 'class', 'category', 'name', 'type', 'object', 'species'];

type Members = Readonly<Record<string, unknown>>;

const numbersOf = (shape: Members, names: readonly string[]): number[] => numbersAt(shape, names, 'shape_attributes');

function pairsOf({ all_points_x: xs, all_points_y: ys }: Members): number[] {
  if (!Array.isArray(xs) || !Array.isArray(ys) || xs.length !== ys.length)
    throw new RecordError('shape_attributes', 'must have the same number of all_points_x and all_points_y');
  return xs.flatMap((x: unknown, index): number[] => {
    const y: unknown = ys[index];
    if (isFiniteNumber(x) && isFiniteNumber(y)) return [x, y];
    throw new RecordError('shape_attributes', `has no number at point ${index}`);
  });
}

function outlineOf(shape: Members): Pick<LabeledShape, 'type' | 'points' | 'rotation'> {
  switch (shape['name']) {
    case 'rect': {
      const [x = 0, y = 0, width = 0, height = 0] = numbersOf(shape, ['x', 'y', 'width', 'height']);
      return { type: 'rectangle', points: [x, y, addDecimals(x, width), addDecimals(y, height)] };
    }
    case 'polygon':
    case 'polyline':
      return { type: shape['name'], points: pairsOf(shape) };
    case 'point':
      return { type: 'points', points: numbersOf(shape, ['cx', 'cy']) };
    case 'circle': {
      const [cx = 0, cy = 0, r = 0] = numbersOf(shape, ['cx', 'cy', 'r']);
      return { type: 'ellipse', points: ellipsePoints(cx, cy, r, r) };
    }
    case 'ellipse': {
      const [cx = 0, cy = 0, rx = 0, ry = 0] = numbersOf(shape, ['cx', 'cy', 'rx', 'ry']);
      const [theta = 0] = shape['theta'] === undefined || shape['theta'] === null ? [] : numbersOf(shape, ['theta']);
      const rotation = withoutNoise((((theta * 180) / Math.PI) % 360) + 360) % 360;
      return {
        type: 'ellipse',
        points: ellipsePoints(cx, cy, rx, ry),
        rotation: rotation === 0 ? undefined : rotation,
      };
    }
    default:
      throw new RecordError('shape_attributes.name', `${brief(shape['name'])} is not a VIA shape`);
  }
}

/** Attributes as texts. Of checkboxes, `{a: true, b: false}`, only the set ones. */
function textsOf(attributes: unknown, lose: (rule: string) => void): Attribute[] {
  return Object.entries(optionalRecord(attributes, 'region_attributes') ?? {}).flatMap(([name, value]): Attribute[] => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return String(value) === '' ? [] : [{ name, value: String(value) }];
    if (value === null) return [];
    if (!isRecord(value) || Object.values(value).some((one) => typeof one !== 'boolean')) {
      lose(`The attribute "${name}" is neither a string, a number nor a boolean.`);
      return [];
    }
    const set = Object.keys(value).filter((option) => value[option] === true);
    return set.length > 0 ? [{ name, value: set.join(', ') }] : [];
  });
}

/** Adds a VIA region. Throws `RecordError`. */
export function addRegion(region: Members, { add, frame, at, noteUnread, report }: ObjectPlace): void {
  const { shape_attributes: shape, region_attributes: stated } = region;
  if (!isRecord(shape)) throw new RecordError('shape_attributes', `must be an object, but is ${brief(shape)}`);
  const losses: string[] = [];
  const texts = textsOf(stated, (rule) => losses.push(rule));
  const own = labelNames.flatMap((name) => texts.find((one) => one.name.toLowerCase() === name) ?? [])[0] ?? texts[0];
  if (!own) throw new RecordError('region_attributes', 'has no text that can be the label');
  if (!labelNames.includes(own.name.toLowerCase()))
    report.warn(`The labels of some regions were read from the attribute "${own.name.slice(0, 80)}".`);
  for (const rule of losses) report.dropped('attribute', own.value, rule);
  noteUnread(region, own.value);
  noteUnread(shape, own.value);
  const attributes = texts.filter((one) => one !== own);
  const fields = { frame: frame.frame, label: own.value, attributes, occluded: false, group: 0, z_order: 0 };
  add.shape({ ...fields, ...outlineOf(shape), source: 'file' }, at);
}
