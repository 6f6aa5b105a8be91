import type { InMemoryTaskDataOptions } from '../../../main/formats/kit/in-memory-task-data.ts';
import type {
  ObjectKind,
  ObjectSupport,
  RegisteredExporter,
  RegisteredImporter,
} from '../../../main/formats/kit/plugin.ts';
import type { Attribute, LabeledShape, Tag, Track } from '../../../main/formats/kit/task-data.ts';
import { importerOf, keyframeOf, shapeOf } from './format-fixtures.ts';
import { scene } from './scenes.ts';

const readers: Readonly<Record<string, string>> = {
  'CVAT for images 1.1': 'CVAT 1.1',
  'CVAT for video 1.1': 'CVAT 1.1',
  'COCO RLE 1.0': 'COCO 1.0',
  'Ultralytics YOLO Detection Track 1.0': 'Ultralytics YOLO Detection 1.0',
};

/** Tracks cannot consist of masks. These formats write tracks whose masks become polygons. */
export const tracksOfMasks: ReadonlySet<string> = new Set(['MOTS PNG 1.0']);

const elements = (scene.labels[3]?.sublabels ?? []).map(({ name }, index) =>
  shapeOf({ type: 'points', label: name, points: [10 + index, 20], outside: false }),
);
const text: Attribute = { name: 'text', value: 'blue' };

/** Formats whose tags have more than a label. */
const ownTags: Readonly<Record<string, Pick<Tag, 'label' | 'attributes'>>> = {
  'COCO Captions 1.0': { label: 'caption', attributes: [{ name: 'caption', value: 'A car.' }] },
  'ICDAR Recognition 1.0': { label: 'icdar', attributes: [text] },
  'Market-1501 1.0': { label: 'market-1501', attributes: [{ name: 'person_id', value: '0001' }] },
};

/** Formats with a field for this attribute and no others. */
const textFormats: ReadonlySet<string> = new Set([
  'ICDAR Recognition 1.0',
  'ICDAR Localization 1.0',
  'ICDAR Segmentation 1.0',
]);
export const attributeFor = ({ display_name: name }: RegisteredExporter): Attribute =>
  textFormats.has(name) ? { name: 'flag', value: 'true' } : text;

/** The task of imports, including the labels that formats without labels assign. */
export const target: InMemoryTaskDataOptions = {
  ...scene,
  labels: [...scene.labels, ...Object.values(ownTags).map(({ label }) => ({ ...scene.labels[0], name: label }))],
};

export const shapes: Readonly<Partial<Record<ObjectKind, LabeledShape>>> = {
  rectangle: shapeOf({ type: 'rectangle', label: 'car', points: [10, 10, 30, 25] }),
  'rotated rectangle': shapeOf({ type: 'rectangle', label: 'car', points: [10, 10, 30, 25], rotation: 30 }),
  ellipse: shapeOf({ type: 'ellipse', label: 'car', points: [30, 24, 40, 18] }),
  polygon: shapeOf({ type: 'polygon', label: 'car', points: [10, 10, 30, 10, 20, 30] }),
  polyline: shapeOf({ type: 'polyline', label: 'car', points: [10, 10, 30, 10, 20, 30] }),
  // As many as a face has landmarks.
  points: shapeOf({ type: 'points', label: 'car', points: [10, 10, 30, 10, 20, 20, 12, 30, 28, 30] }),
  cuboid: shapeOf({
    type: 'cuboid',
    label: 'car',
    points: [10, 10, 10, 20, 20, 10, 20, 20, 14, 8, 14, 18, 24, 8, 24, 18],
  }),
  mask: shapeOf({ type: 'mask', label: 'car', points: [0, 100, 10, 10, 19, 19] }),
  skeleton: shapeOf({ type: 'skeleton', label: 'body', points: [], elements }),
};

export const isRotated = ({ type, rotation = 0 }: LabeledShape): boolean =>
  type === 'rectangle' && Math.abs(rotation) > 0.001;
export const typeOf = (kind: ObjectKind): string => (kind === 'rotated rectangle' ? 'rectangle' : kind);

const isWritten = (support: ObjectSupport | undefined): boolean => support === 'both' || support === 'export';
function tagFor({ display_name: name }: RegisteredExporter, more: readonly Attribute[] = []): Tag {
  const { label, attributes } = ownTags[name] ?? { label: 'car', attributes: [] };
  return { frame: 0, label, attributes: [...attributes, ...more], group: 0 };
}

function trackOf({ type, label, points, elements }: LabeledShape, attributes: readonly Attribute[] = []): Track {
  return {
    label,
    group: 0,
    attributes: [],
    shapes: [0, 1, 2].map((frame) => keyframeOf({ type, points, frame, outside: frame === 2, attributes })),
    ...(elements ? { elements: elements.map((part) => trackOf(part, attributes)) } : {}),
  };
}

export function taskWith(kind: ObjectKind, exporter: RegisteredExporter): InMemoryTaskDataOptions {
  const included = (Object.keys(shapes) as ObjectKind[]).find((one) => isWritten(exporter.support?.[one]));
  const base = shapes[included ?? 'polygon'] ?? shapes.polygon;
  const shape = shapes[kind];
  if (shape) return { ...scene, shapes: [shape] };
  const attribute = attributeFor(exporter);
  if (kind === 'tag') return { ...scene, tags: [tagFor(exporter)] };
  if (!base) throw new Error('There is always a polygon.');
  if (kind === 'track') return { ...scene, tracks: [trackOf(base)] };
  if (!included && isWritten(exporter.support?.tag)) return { ...scene, tags: [tagFor(exporter, [attribute])] };
  if (!included && isWritten(exporter.support?.track)) return { ...scene, tracks: [trackOf(base, [attribute])] };
  return { ...scene, shapes: [{ ...base, attributes: [attribute] }] };
}

export function readerOf({ display_name: name }: RegisteredExporter): RegisteredImporter {
  return importerOf(readers[name] ?? name);
}

/** A task with one object of each kind that the format supports, on frames of any kind. */
export function taskOfAll(exporter: RegisteredExporter): InMemoryTaskDataOptions {
  const kinds = (Object.keys(shapes) as ObjectKind[]).filter((kind) => isWritten(exporter.support?.[kind]));
  const own = kinds.flatMap((kind) => shapes[kind] ?? []);
  const [first] = own;
  if (first) return { ...target, shapes: own.map((shape, index) => moved(shape, index % 2)) };
  return taskWith(isWritten(exporter.support?.tag) ? 'tag' : 'track', exporter);
}

function moved({ elements: parts, ...shape }: LabeledShape, frame: number): LabeledShape {
  return { ...shape, frame, ...(parts ? { elements: parts.map((part) => ({ ...part, frame })) } : {}) };
}
