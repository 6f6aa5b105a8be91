import { createTrackReader } from '../../preload/geometry/interpolation.ts';
import type { AttributeValue, LabeledData, Shape, SubShape } from '../../preload/contract/schema/annotations.ts';
import type { Attribute } from '../../preload/contract/schema/labels.ts';
import type { ComparedElement, ComparedLabel, ComparedObject } from './compared-object.ts';

function parsed({ input_type: type }: Attribute, value: string): string | number | boolean {
  if (type === 'checkbox') return value.toLowerCase() === 'true';
  const number = type === 'number' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? value : number;
}

type Parts = readonly {
  readonly label_id: number;
  readonly outside?: boolean;
  readonly occluded?: boolean;
  readonly points?: readonly number[];
}[];

function createReaders(labels: readonly ComparedLabel[]) {
  const byId = new Map(labels.map((label) => [label.id, label]));
  return {
    values(labelId: number, given: readonly AttributeValue[], occluded?: boolean): ComparedObject['attributes'] {
      const texts = new Map(given.map(({ spec_id, value }) => [spec_id, value]));
      const values = new Map<number | 'occluded', string | number | boolean>(
        (byId.get(labelId)?.attributes ?? []).map((spec) => [
          spec.id,
          parsed(spec, texts.get(spec.id) ?? spec.default_value),
        ]),
      );
      return occluded === undefined ? values : values.set('occluded', occluded);
    },
    elements(labelId: number, given: Parts): ComparedElement[] {
      const drawn = new Map(given.map((part) => [part.label_id, part]));
      return (byId.get(labelId)?.sublabels ?? []).map(({ id }) => {
        const part = drawn.get(id);
        const [x, y] = part?.points ?? [];
        if (part === undefined || part.outside === true || x === undefined || y === undefined) return null;
        return { x, y, isVisible: part.occluded !== true };
      });
    },
  };
}

type DrawnFields =
  | 'id'
  | 'label_id'
  | 'group'
  | 'type'
  | 'points'
  | 'rotation'
  | 'z_order'
  | 'occluded'
  | 'attributes'
  | 'score'
  | 'source';

/** A shape, or a track's shape on one frame. */
type DrawnObject = Pick<Shape, DrawnFields> & {
  readonly kind: 'shape' | 'track';
  readonly elements: readonly Pick<SubShape, 'label_id' | 'type' | 'points' | 'occluded' | 'outside'>[];
};

/** Shapes of each frame, then tracks, as drawn there. Leaves out what is outside. */
export function drawnByFrame({
  shapes,
  tracks,
}: Pick<LabeledData, 'shapes' | 'tracks'>): (frame: number) => DrawnObject[] {
  const shapesOf = Map.groupBy(shapes, ({ frame }) => frame);
  const readers = tracks.map((track) => [track, createTrackReader(track)] as const);
  return (frame: number) => [
    ...(shapesOf.get(frame) ?? [])
      .filter(({ outside }) => outside !== true)
      .map((shape) => ({ ...shape, kind: 'shape' as const })),
    ...readers.flatMap(([{ id, label_id, group, attributes, source }, read]) => {
      const shown = read(frame);
      if (shown === null || shown.outside) return [];
      const own = { id, label_id, group, source, score: 1, attributes: [...attributes, ...shown.attributes] };
      return [{ ...shown, ...own, kind: 'track' as const }];
    }),
  ];
}

/** Excludes skeletons without a point on the frame. */
const isCompared = ({ type, elements }: ComparedObject): boolean =>
  type !== 'skeleton' || elements.some((element) => element !== null);

/** Objects of a job per frame: tags, then shapes and tracks from the lowest layer to the highest. */
export function objectsByFrame(
  data: LabeledData,
  jobId: number,
  labels: readonly ComparedLabel[],
  /** CVAT's quality reports do not compare cuboids. */
  { cuboids = false }: { readonly cuboids?: boolean } = {},
): (frame: number) => ComparedObject[] {
  const { values, elements } = createReaders(labels);
  const tagsOf = Map.groupBy(data.tags, ({ frame }) => frame);
  const drawnOn = drawnByFrame(data);

  const tags = (frame: number): ComparedObject[] =>
    (tagsOf.get(frame) ?? []).map(({ id = 0, label_id: labelId, group, attributes, source }) => ({
      id: { obj_id: id, job_id: jobId, type: 'tag', shape_type: null },
      labelId,
      type: 'tag',
      points: [],
      rotation: 0,
      zOrder: 0,
      group: group ?? 0,
      attributes: values(labelId, attributes),
      elements: [],
      facts: { type: 'tag', serverId: id, labelId, frame, group: group ?? 0, source, attributes, shape: null },
    }));
  const drawn = (frame: number): ComparedObject[] =>
    drawnOn(frame).map(({ id = 0, kind, label_id: labelId, type, points, rotation, z_order, ...object }) => ({
      id: { obj_id: id, job_id: jobId, type: kind, shape_type: type },
      labelId,
      type,
      points,
      rotation,
      zOrder: z_order,
      group: object.group ?? 0,
      attributes: values(labelId, object.attributes, object.occluded),
      elements: elements(labelId, object.elements),
      facts: {
        type: kind,
        serverId: id,
        labelId,
        frame,
        group: object.group ?? 0,
        source: object.source,
        attributes: object.attributes,
        shape: {
          type,
          points,
          rotation,
          occluded: object.occluded,
          score: kind === 'track' ? null : object.score,
          zOrder: z_order,
          elements: object.elements,
        },
      },
    }));
  return (frame) => [
    ...tags(frame),
    ...drawn(frame)
      .filter((object) => isCompared(object) && (cuboids || object.type !== 'cuboid'))
      .toSorted((a, b) => a.zOrder - b.zOrder),
  ];
}
