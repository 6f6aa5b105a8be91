import { describe, expect, it } from 'vitest';
import { createInMemoryTaskData, type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { ObjectKind, ObjectSupport, RegisteredExporter } from '../../main/formats/kit/plugin.ts';
import { createFormatRegistry, findImporter } from '../../main/formats/registry.ts';
import type { Attribute, LabeledShape, Tag, Track } from '../../main/formats/kit/task-data.ts';
import { runExport, runImport, shapeOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

/** Formats that are read by an importer of another name. */
const readers: Readonly<Record<string, string>> = {
  'CVAT for images 1.1': 'CVAT 1.1',
  'CVAT for video 1.1': 'CVAT 1.1',
  'COCO RLE 1.0': 'COCO 1.0',
  'Ultralytics YOLO Detection Track 1.0': 'Ultralytics YOLO Detection 1.0',
};

/** Tracks cannot be of masks: these formats keep tracks where masks become polygons. */
const tracksOfMasks: ReadonlySet<string> = new Set(['MOTS PNG 1.0']);

const elements = (scene.labels[3]?.sublabels ?? []).map(({ name }, index) =>
  shapeOf({ type: 'points', label: name, points: [10 + index, 20], outside: false }),
);
const text: Attribute = { name: 'text', value: 'blue' };

/** Formats in which a tag is more than its label. */
const ownTags: Readonly<Record<string, Pick<Tag, 'label' | 'attributes'>>> = {
  'ICDAR Recognition 1.0': { label: 'icdar', attributes: [text] },
  'Market-1501 1.0': { label: 'market-1501', attributes: [{ name: 'person_id', value: '0001' }] },
};

/** Formats that have a field for this attribute, and none for others. */
const textFormats: ReadonlySet<string> = new Set([
  'ICDAR Recognition 1.0',
  'ICDAR Localization 1.0',
  'ICDAR Segmentation 1.0',
]);
const attributeFor = ({ display_name: name }: RegisteredExporter): Attribute =>
  textFormats.has(name) ? { name: 'flag', value: 'true' } : text;

/** What objects are read into: also with the labels that formats without labels give to all of them. */
const target: InMemoryTaskDataOptions = {
  ...scene,
  labels: [...scene.labels, ...Object.values(ownTags).map(({ label }) => ({ ...scene.labels[0], name: label }))],
};

/** One object of each kind. */
const shapes: Readonly<Partial<Record<ObjectKind, LabeledShape>>> = {
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

const isRotated = ({ type, rotation = 0 }: LabeledShape): boolean => type === 'rectangle' && Math.abs(rotation) > 0.001;
const typeOf = (kind: ObjectKind): string => (kind === 'rotated rectangle' ? 'rectangle' : kind);

const isWritten = (support: ObjectSupport | undefined): boolean => support === 'both' || support === 'export';
function tagFor({ display_name: name }: RegisteredExporter, more: readonly Attribute[] = []): Tag {
  const { label, attributes } = ownTags[name] ?? { label: 'car', attributes: [] };
  return { frame: 0, label, attributes: [...attributes, ...more], group: 0 };
}

function trackOf({ elements: parts, ...shape }: LabeledShape, attributes: readonly Attribute[] = []): Track {
  const at = (frame: number, outside: boolean) => ({
    frame,
    outside,
    keyframe: true,
    occluded: false,
    attributes,
    z_order: 0,
  });
  const places = [at(0, false), at(1, false), at(2, true)];
  return {
    label: shape.label,
    group: 0,
    attributes: [],
    shapes: places.map((place) => ({ ...place, type: shape.type, points: shape.points })),
    ...(parts
      ? {
          elements: parts.map((part) => ({
            label: part.label,
            group: 0,
            attributes: [],
            shapes: places.map((place) => ({ ...place, type: part.type, points: part.points })),
          })),
        }
      : {}),
  };
}

/** A task with one object of the kind. Tracks and attributes need a shape that the format carries. */
function taskWith(kind: ObjectKind, exporter: RegisteredExporter): InMemoryTaskDataOptions {
  const carried = (Object.keys(shapes) as ObjectKind[]).find((one) => isWritten(exporter.support?.[one]));
  const base = shapes[carried ?? 'polygon'] ?? shapes.polygon;
  const shape = shapes[kind];
  if (shape) return { ...scene, shapes: [shape] };
  const attribute = attributeFor(exporter);
  if (kind === 'tag') return { ...scene, tags: [tagFor(exporter)] };
  if (!base) throw new Error('There is always a polygon.');
  if (kind === 'track') return { ...scene, tracks: [trackOf(base)] };
  if (!carried && isWritten(exporter.support?.tag)) return { ...scene, tags: [tagFor(exporter, [attribute])] };
  if (!carried && isWritten(exporter.support?.track)) return { ...scene, tracks: [trackOf(base, [attribute])] };
  return { ...scene, shapes: [{ ...base, attributes: [attribute] }] };
}

interface Outcome {
  /** Objects of the kind that came back, and of all kinds. */
  readonly own: number;
  readonly any: number;
  readonly isReported: boolean;
  readonly isCarried: boolean;
}

async function outcomeOf(kind: ObjectKind, exporter: RegisteredExporter): Promise<Outcome> {
  const importer = findImporter(readers[exporter.display_name] ?? exporter.display_name);
  if (!importer) throw new Error(`${exporter.display_name} has no importer.`);
  const { path, summary } = await runExport(exporter, createInMemoryTaskData(taskWith(kind, exporter)));
  const options = { conv_mask_to_poly: tracksOfMasks.has(exporter.display_name) };
  const { task, summary: reading } = await runImport(importer, path, target, { options });
  const attribute = attributeFor(exporter);
  expect(reading.badCount, `${exporter.display_name}: ${kind}`).toBe(0);
  const type = typeOf(kind);
  const own =
    kind === 'tag'
      ? task.tags.length
      : kind === 'track'
        ? task.tracks.length
        : kind === 'attribute'
          ? [...task.shapes, ...task.tags, ...task.tracks.flatMap((track) => track.shapes)].filter(({ attributes }) =>
              attributes.some(({ name, value }) => name === attribute.name && value === attribute.value),
            ).length
          : [
              ...task.shapes,
              ...task.tracks.flatMap(({ shapes: [first] }) => (first ? [first as LabeledShape] : [])),
            ].filter((shape) => shape.type === type && isRotated(shape) === (kind === 'rotated rectangle')).length;
  return {
    own,
    any: task.shapes.length + task.tags.length + task.tracks.length,
    isReported:
      summary.losses.some((loss) => loss.type === type) ||
      (kind === 'attribute' && summary.losses.some(({ rule }) => rule.includes('attribute'))) ||
      // A format without tracks may also say what became of their shapes.
      (kind === 'track' && summary.losses.length > 0),
    isCarried: summary.carried.some((carried) => carried.type === type),
  };
}

const kinds: readonly ObjectKind[] = [...(Object.keys(shapes) as ObjectKind[]), 'tag', 'track', 'attribute'];
const { importers, exporters } = createFormatRegistry();
const declared = exporters.filter(({ support }) => support);

describe('what formats say that they carry', () => {
  it('is said by every built-in format of images', () => {
    const silent = [...importers, ...exporters].filter(({ support, dimension }) => !support && dimension === '2d');
    expect(silent.map(({ display_name }) => display_name)).toEqual([]);
  });

  it.each(declared.map((exporter) => [exporter.display_name, exporter] as const))(
    '%s does what it says',
    async (_name, exporter) => {
      for (const kind of kinds) {
        const support: ObjectSupport | undefined = exporter.support?.[kind];
        const at = `${exporter.display_name}: ${kind} is ${support ?? 'left out'}`;
        const outcome = await outcomeOf(kind, exporter);
        switch (support) {
          case 'both':
          case 'export':
            expect(outcome.own, at).toBeGreaterThan(0);
            // Some formats count a track, others the shapes that it is written as.
            if (kind !== 'attribute' && kind !== 'track') expect(outcome.isCarried, at).toBe(true);
            break;
          case 'converted':
            expect(outcome, at).toMatchObject({ own: 0, isReported: true });
            expect(outcome.any, at).toBeGreaterThan(0);
            break;
          default:
            // Left out, or read only, or kept as far as the format has fields: what is not carried is reported.
            expect(outcome, at).toMatchObject({ own: 0, isReported: true });
        }
      }
    },
  );

  it('names importers and exporters of one format alike', () => {
    for (const exporter of declared) {
      const importer = importers.find(({ display_name }) => display_name === exporter.display_name);
      if (importer) expect(importer.support, exporter.display_name).toEqual(exporter.support);
    }
  });
});
