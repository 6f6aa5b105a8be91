import * as fc from 'fast-check';
import type { InMemoryTaskDataOptions } from '../../../main/formats/kit/in-memory-task-data.ts';
import type { FormatSummary } from '../../../main/formats/kit/report.ts';
import type { LabeledShape, LabelInfo, Tag, Track } from '../../../main/formats/kit/task-data.ts';
import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { maskFromBitmap } from '../../../preload/geometry/mask-runs.ts';
import { keyframeOf, shapeOf } from './format-fixtures.ts';

export const attributeOf = (name: string, input_type = 'text', values: readonly string[] = [], mutable = true) => ({
  name,
  mutable,
  input_type,
  default_value: '',
  values,
});

export const pointOf = (name: string): LabelInfo => ({
  name,
  color: '',
  type: 'points',
  attributes: [],
  sublabels: [],
});

export const sceneLabels: readonly LabelInfo[] = [
  {
    name: 'car',
    color: '#ff0000',
    type: 'any',
    attributes: [
      attributeOf('text', 'text'),
      attributeOf('flag', 'checkbox'),
      attributeOf('count', 'number', ['0', '9', '1']),
    ],
    sublabels: [],
  },
  { name: 'tall tree', color: '#00ff40', type: 'any', attributes: [], sublabels: [] },
  { name: 'Hündchen', color: '#2040ff', type: 'any', attributes: [], sublabels: [] },
  {
    name: 'body',
    color: '#ffff00',
    type: 'skeleton',
    attributes: [attributeOf('text', 'text')],
    sublabels: [pointOf('head'), pointOf('hand "l"'), pointOf('foot')],
    svg:
      '<line data-type="edge" data-node-from="1" data-node-to="2"></line>' +
      '<circle data-node-id="1" data-label-name="head"></circle><circle data-node-id="2" data-label-name="hand &quot;l&quot;"></circle>' +
      '<circle data-node-id="3" data-label-name="foot"></circle>',
  },
];

export const width = 64;
export const height = 48;

/** Frames with every kind of name: folders, spaces, letters of any script, digits. */
export const sceneFrames = ['one.jpg', 'a b/Ünïcode 写.png', 'deep/er/3.jpeg', '000004.jpg'].map((name, frame) => ({
  name,
  frame,
  width,
  height,
  task_id: 1,
}));

export const scene: InMemoryTaskDataOptions = { frames: sceneFrames, labels: sceneLabels };

const x = fc.integer({ min: 0, max: width * 100 }).map((value) => value / 100);
const y = fc.integer({ min: 0, max: height * 100 }).map((value) => value / 100);
const pair = fc.tuple(x, y);

const box = fc
  .record({
    left: fc.integer({ min: 0, max: 4000 }),
    top: fc.integer({ min: 0, max: 3000 }),
    wide: fc.integer({ min: 200, max: 2000 }),
    high: fc.integer({ min: 200, max: 1500 }),
  })
  .map(({ left, top, wide, high }) => [left / 100, top / 100, (left + wide) / 100, (top + high) / 100]);

/** Importers refuse polygons inside the first pixel, whose coordinates look like fractions of the image. */
const polygon = fc
  .array(pair, { minLength: 3, maxLength: 8 })
  .map((pairs) => pairs.flat())
  .filter((points) => Math.max(...points) > 1);

/** The mask of a few random pixels inside a set border, so that its box is tight. */
export const maskPoints = fc
  .record({
    left: fc.nat(30),
    top: fc.nat(20),
    wide: fc.integer({ min: 2, max: 20 }),
    bits: fc.array(fc.boolean(), { minLength: 4, maxLength: 200 }),
  })
  .map(({ left, top, wide, bits }) => {
    const rows = Math.max(2, Math.floor(bits.length / wide));
    const bitmap = Array.from({ length: wide * rows }, (_, index) => (bits[index] ? 1 : 0));
    for (const corner of [0, wide - 1, wide * (rows - 1), wide * rows - 1]) bitmap[corner] = 1;
    return maskFromBitmap(bitmap, wide, rows, { left, top }) ?? [];
  });

const cuboid = fc.array(pair, { minLength: 8, maxLength: 8 }).map((pairs) => pairs.flat());

type Outline = Pick<LabeledShape, 'type' | 'points' | 'rotation' | 'elements'>;

const skeleton: fc.Arbitrary<Outline> = fc
  .tuple(
    ...['head', 'hand "l"', 'foot'].map((label) =>
      fc.record({ label: fc.constant(label), at: pair, state: fc.nat(2) }),
    ),
  )
  .filter((elements) => elements.some(({ state }) => state > 0))
  .map((elements) => ({
    type: 'skeleton',
    points: [],
    elements: elements.map(({ label, at, state }) =>
      shapeOf({ type: 'points', label, points: at, occluded: state === 1, outside: state === 0 }),
    ),
  }));

const rotation = fc.integer({ min: 1, max: 35_999 }).map((value) => value / 100);

function isInside(outline: Outline): boolean {
  const { left, top, right, bottom } = boundingBox(outline) ?? { left: -1, top: -1, right: -1, bottom: -1 };
  return left >= 0 && top >= 0 && right <= width && bottom <= height;
}

export const outlines: Readonly<Record<ShapeType | 'rotated rectangle', fc.Arbitrary<Outline>>> = {
  rectangle: box.map((numbers) => ({ type: 'rectangle', points: numbers })),
  'rotated rectangle': fc
    .tuple(box, rotation)
    .map(([numbers, degrees]): Outline => ({ type: 'rectangle', points: numbers, rotation: degrees }))
    .filter(isInside),
  ellipse: box
    .map(([left = 0, top = 0, right = 0, bottom = 0]): Outline => ({
      type: 'ellipse',
      points: [(left + right) / 2, (top + bottom) / 2, right, top].map(
        // Files do not distinguish -0 from 0.
        (value) => Math.round(value * 100) / 100 + 0,
      ),
    }))
    .filter(isInside),
  polygon: polygon.map((numbers) => ({ type: 'polygon', points: numbers })),
  polyline: polygon.map((numbers) => ({ type: 'polyline', points: numbers })),
  points: fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => ({ type: 'points', points: pairs.flat() })),
  cuboid: cuboid.map((numbers) => ({ type: 'cuboid', points: numbers })),
  mask: maskPoints.map((numbers) => ({ type: 'mask', points: numbers })),
  skeleton,
};

type Kind = keyof typeof outlines;

export function everyKindBut(...kinds: readonly Kind[]): Kind[] {
  return (Object.keys(outlines) as Kind[]).filter((kind) => !kinds.includes(kind));
}

const ownAttributes = fc.uniqueArray(
  fc.oneof(
    fc.record({ name: fc.constant('text'), value: fc.string({ unit: 'grapheme', maxLength: 12 }) }),
    fc.record({ name: fc.constant('flag'), value: fc.constantFrom('true', 'false') }),
    fc.record({ name: fc.constant('count'), value: fc.integer({ min: 0, max: 9 }).map(String) }),
  ),
  { selector: ({ name }) => name },
);

export interface SceneSettings {
  readonly kinds: readonly (keyof typeof outlines)[];
  readonly details?: boolean;
  readonly maxShapes?: number;
}

/** Random shapes of these kinds on the frames of {@link scene}, in the order in which a task lists them. */
export function sceneShapes({ kinds, details = false, maxShapes = 8 }: SceneSettings): fc.Arbitrary<LabeledShape[]> {
  const one = fc
    .record({
      outline: fc.oneof(...kinds.map((kind) => outlines[kind])),
      frame: fc.nat(sceneFrames.length - 1),
      label: fc.constantFrom('car', 'tall tree', 'Hündchen'),
      attributes: ownAttributes,
      occluded: fc.boolean(),
      z_order: fc.integer({ min: -2, max: 2 }),
      score: fc.integer({ min: 1, max: 99 }).map((value) => value / 100),
    })
    .map(({ outline, frame, label, attributes, occluded, z_order, score }): LabeledShape => {
      const isSkeleton = outline.type === 'skeleton';
      const own = isSkeleton ? attributes.filter(({ name }) => name === 'text') : label === 'car' ? attributes : [];
      return {
        ...outline,
        ...(outline.elements ? { elements: outline.elements.map((element) => ({ ...element, frame })) } : {}),
        frame,
        label: isSkeleton ? 'body' : label,
        attributes: details ? own : [],
        occluded: details && occluded,
        group: 0,
        z_order: details ? z_order : 0,
        ...(details ? { score } : {}),
      };
    });
  return fc.array(one, { maxLength: maxShapes }).map(inOrder);
}

export const sceneTags: fc.Arbitrary<Tag[]> = fc.array(
  fc.record({
    frame: fc.nat(sceneFrames.length - 1),
    label: fc.constantFrom('car', 'tall tree', 'Hündchen'),
    attributes: fc.constant([]),
    group: fc.constant(0),
  }),
  { maxLength: 4 },
);

/** Boxes and five landmarks of faces: at most one of each kind and label on a frame. */
export const faceShapes: fc.Arbitrary<LabeledShape[]> = fc
  .uniqueArray(
    fc.record({
      outline: fc.oneof(
        outlines.rectangle,
        fc
          .array(pair, { minLength: 5, maxLength: 5 })
          .map((pairs): Outline => ({ type: 'points', points: pairs.flat() })),
      ),
      frame: fc.nat(sceneFrames.length - 1),
      label: fc.constantFrom('car', 'tall tree', 'Hündchen'),
    }),
    { maxLength: 8, selector: ({ outline, frame, label }) => `${outline.type} ${frame} ${label}` },
  )
  .map((faces) => faces.map(({ outline, frame, label }) => shapeOf({ ...outline, frame, label, source: 'file' })));

export function firstOfEachFrame<Item extends { readonly frame: number }>(items: readonly Item[]): Item[] {
  return items.filter(({ frame }, index) => items.findIndex((item) => item.frame === frame) === index);
}

export function inOrder<Item extends { readonly frame: number; readonly z_order?: number }>(
  items: readonly Item[],
): Item[] {
  return items.toSorted((a, b) => a.frame - b.frame || (a.z_order ?? 0) - (b.z_order ?? 0));
}

/** A shape after a round trip: the file may be its source, and the order of attributes is ignored. */
export function asRead(shape: LabeledShape, source = shape.source): LabeledShape {
  const { source: _source, elements, ...fields } = shape;
  return {
    ...fields,
    ...(source === undefined ? {} : { source }),
    attributes: shape.attributes.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ...(elements ? { elements: elements.map((element) => asRead(element, source)) } : {}),
  };
}

export function mentioned({ included, dropped }: FormatSummary, type: string): number {
  return [...included, ...dropped].filter((entry) => entry.type === type).reduce((sum, { count }) => sum + count, 0);
}

type Place = readonly [frame: number, points: readonly number[], outside?: boolean];

export const trackOf =
  (type: 'rectangle' | 'polygon') =>
  (label: string, places: readonly Place[], more: Partial<Track> = {}): Track => ({
    label,
    group: 0,
    source: 'file',
    attributes: [],
    shapes: places.map(([frame, points, outside = false]) => keyframeOf({ frame, type, points, outside })),
    ...more,
  });

export const oneTrack = trackOf('rectangle')('tall tree', [
  [0, [0, 0, 10, 10]],
  [1, [1, 0, 10, 10]],
  [2, [1, 0, 10, 10], true],
]);
