import { brief, RecordError, isFiniteNumber, isRecord } from '../kit/records.ts';
import { addDecimals, readNumber } from '../kit/short-decimals.ts';
import { readScore } from '../kit/read-score.ts';
import { type ReadAttributes, readAttributes } from '../kit/read-attributes.ts';
import type { createUnreadMembers } from '../kit/unread-members.ts';
import { readOutline } from '../kit/read-outline.ts';
import type { FormatReport } from '../kit/report.ts';
import { normalRotation } from '../kit/corner-box.ts';
import type { Attribute, LabeledShape, LabelInfo, Tag } from '../kit/task-data.ts';
import type { DatumaroLabel } from './labels.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** An annotation of a file, before it is checked against the task. */
export type ReadObject =
  | { readonly kind: 'tag'; readonly tag: Tag }
  | { readonly kind: 'shape'; readonly shape: LabeledShape; readonly trackId: number | undefined }
  /** An annotation without a counterpart in a task. It was reported. */
  | { readonly kind: 'none' };

export interface AnnotationContext {
  readonly frame: number;
  readonly labels: readonly DatumaroLabel[];
  readonly labelInfo: (name: string) => LabelInfo | undefined;
  readonly report: FormatReport;
  readonly noteUnread: ReturnType<typeof createUnreadMembers>;
}

/** Members of an annotation that are read or that follow from others. */
export const annotationMembers: ReadonlySet<string> = new Set(
  'id type attributes group label_id points bbox area rle z_order visibility points_attributes elements'.split(' '),
);

/** Types of the format that a task of images does not have. */
const foreignTypes: ReadonlyMap<string, string> = new Map([
  ['caption', 'A task has no captions.'],
  ['cuboid_3d', 'A task of images has no 3D boxes.'],
  ['super_resolution_annotation', 'A task has no target images.'],
  ['depth_annotation', 'A task has no depth images.'],
  ['hash_key', 'A task has no hash keys.'],
  ['feature_vector', 'A task has no feature vectors.'],
  ['tabular', 'A task has no tables.'],
]);

function readNumbers(value: unknown, at: string): readonly number[] {
  if (!Array.isArray(value)) throw new RecordError(at, `must be a list of numbers, but is ${brief(value)}`);
  const wrong = value.findIndex((item) => !isFiniteNumber(item));
  if (wrong >= 0) throw new RecordError(`${at}[${wrong}]`, `must be a number, but is ${brief(value[wrong])}`);
  return value;
}

function readInteger(value: unknown, at: string): number {
  if (value === undefined || value === null) return 0;
  if (Number.isSafeInteger(value)) return Number(value);
  throw new RecordError(at, `must be a whole number, but is ${brief(value)}`);
}

function labelOf({ label_id: id }: JsonObject, { labels }: AnnotationContext): DatumaroLabel {
  if (id === null || id === undefined) throw new RecordError('label_id', 'is missing: an object needs a label');
  const label = typeof id === 'number' ? labels[id] : undefined;
  if (!label || label.name === '')
    throw new RecordError('label_id', `is ${brief(id)}, which is not a label of the file`);
  return label;
}

/** Separates the score from the attributes that `readAttributes` returned. */
function splitScore(
  own: readonly Attribute[],
  lose: (rule: string) => void,
): { score?: number; attributes: readonly Attribute[] } {
  const score = own.find(({ name }) => name === 'score');
  if (!score) return { attributes: own };
  return {
    ...readScore(readNumber(score.value.trim()), lose),
    attributes: own.filter(({ name }) => name !== 'score'),
  };
}

function half(sum: number): number {
  return addDecimals(sum / 2, 0);
}

function geometryOf(annotation: JsonObject): Pick<LabeledShape, 'type' | 'points' | 'rotation'> {
  const { type } = annotation;
  switch (type) {
    case 'bbox': {
      const outline = readOutline(undefined, annotation['bbox'], () => ({ width: 0, height: 0 }));
      return outline.type === 'rectangle'
        ? { type: 'rectangle', points: outline.points }
        : { type: 'rectangle', points: [] };
    }
    case 'rotated_bbox': {
      const points = readNumbers(annotation['points'], 'points');
      const [cx = 0, cy = 0, width = 0, height = 0, degrees = 0] = points;
      if (points.length !== 5)
        throw new RecordError('points', 'must be the center, width, height and angle of the box');
      const sides = [cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2];
      return { type: 'rectangle', points: sides, rotation: normalRotation(degrees) };
    }
    case 'mask': {
      const outline = readOutline(isRecord(annotation['rle']) ? annotation['rle'] : {}, undefined, () => ({
        width: 0,
        height: 0,
      }));
      return { type: 'mask', points: outline.type === 'mask' ? outline.points : [] };
    }
    case 'ellipse': {
      const points = readNumbers(annotation['points'], 'points');
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
      if (points.length !== 4) throw new RecordError('points', 'must be the four numbers of the box of the ellipse');
      return { type, points: [half(x1 + x2), half(y1 + y2), Math.max(x1, x2), Math.min(y1, y2)] };
    }
    case 'polygon':
    case 'polyline':
    case 'points':
      return { type, points: readNumbers(annotation['points'], 'points') };
    default:
      throw new RecordError('type', `is ${brief(type)}, which is not a known type`);
  }
}

function noteVisibility({ type, visibility }: JsonObject, label: string, report: FormatReport): void {
  if (type === 'points' && Array.isArray(visibility) && visibility.some((state) => state !== 2))
    report.dropped('points', label, 'Points outside a skeleton cannot be hidden individually.');
}

function elementsOf(annotation: JsonObject, label: DatumaroLabel, context: AnnotationContext): LabeledShape[] {
  const points = readNumbers(annotation['points'], 'points');
  if (points.length % 3 !== 0)
    throw new RecordError('points', `must have three numbers for each point, but has ${points.length} numbers`);
  const attributes: unknown[] = Array.isArray(annotation['points_attributes']) ? annotation['points_attributes'] : [];
  const own = context.labelInfo(label.name)?.sublabels.map(({ name }) => name);
  const names = label.points.length > 0 ? label.points : (own ?? []);
  return Array.from({ length: points.length / 3 }, (_, place) => place).flatMap((place): LabeledShape[] => {
    const name = names[place];
    const [x = 0, y = 0, state = 0] = points.slice(3 * place, 3 * place + 3);
    if (state !== 0 && state !== 1 && state !== 2)
      throw new RecordError(`points[${3 * place + 2}]`, `is the state ${state} of a point: it must be 0, 1 or 2`);
    if (name === undefined || (own && !own.includes(name))) {
      if (state !== 0)
        context.report.dropped(
          'points',
          label.name,
          `The skeleton of the task has no point ${brief(name ?? place + 1)}.`,
        );
      return [];
    }
    const fields = readAttributes(attributes[place]);
    for (const problem of fields.problems) context.report.dropped('attribute', label.name, problem);
    return [
      {
        type: 'points',
        frame: context.frame,
        label: name,
        points: [x, y],
        occluded: state === 1,
        outside: state === 0,
        attributes: splitScore(fields.own, () => undefined).attributes,
        group: 0,
        z_order: 0,
      },
    ];
  });
}

function extrasOf(type: string, fields: ReadAttributes): Partial<LabeledShape> {
  const { rotation, outside, source, keyframe } = fields;
  const turns = type === 'rectangle' || type === 'ellipse';
  return {
    rotation: turns && rotation !== 0 ? normalRotation(rotation) : undefined,
    outside: outside || undefined,
    source,
    keyframe,
  };
}

/** Reads one annotation. Throws `RecordError` with the inner place if it cannot be used. */
export function readAnnotation(annotation: unknown, context: AnnotationContext): ReadObject {
  if (!isRecord(annotation)) throw new RecordError('', `must be an object, but is ${brief(annotation)}`);
  const { frame, report } = context;
  const { type } = annotation;
  const foreign = typeof type === 'string' ? foreignTypes.get(type) : undefined;
  if (foreign !== undefined) {
    report.dropped(String(type), '', foreign);
    return { kind: 'none' };
  }
  const label = labelOf(annotation, context);
  context.noteUnread(annotation, label.name);
  const fields = readAttributes(annotation['attributes']);
  for (const problem of fields.problems) report.dropped('attribute', label.name, problem);
  const { score, attributes } = splitScore(fields.own, (rule) => report.dropped('attribute', label.name, rule));
  const group = readInteger(annotation['group'], 'group');
  if (group < 0) throw new RecordError('group', `is ${group}: groups must not be negative`);
  if (type === 'label') {
    const source = fields.source === undefined ? {} : { source: fields.source };
    return { kind: 'tag', tag: { frame, label: label.name, attributes, group, ...source } };
  }
  const isSkeleton = type === 'skeleton';
  const geometry = isSkeleton ? { type: 'skeleton' as const, points: [] } : geometryOf(annotation);
  noteVisibility(annotation, label.name, report);
  const stated = annotation['z_order'];
  const { keyframe, ...extras } = extrasOf(geometry.type, fields);
  // Skeletons have `keyframe` even outside tracks; masks cannot be tracked.
  const isTracked = fields.trackId !== undefined && keyframe !== undefined && geometry.type !== 'mask';
  const shape: LabeledShape = {
    ...geometry,
    frame,
    label: label.name,
    occluded: fields.occluded,
    attributes,
    group,
    z_order: stated === undefined || stated === null ? fields.zOrder : readInteger(stated, 'z_order'),
    ...extras,
    keyframe: isTracked ? keyframe : undefined,
    score,
    elements: isSkeleton ? elementsOf(annotation, label, context) : undefined,
  };
  return { kind: 'shape', shape, trackId: isTracked ? fields.trackId : undefined };
}
