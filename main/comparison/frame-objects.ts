import { createTrackReader } from '../../preload/geometry/interpolation.ts';
import type { AttributeValue, LabeledData } from '../../preload/contract/schema/annotations.ts';
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

/** Excludes cuboids, and skeletons without a point on the frame. */
const isCompared = ({ type, elements }: ComparedObject): boolean =>
  type !== 'cuboid' && (type !== 'skeleton' || elements.some((element) => element !== null));

/** Objects of a job per frame: tags, then shapes and tracks from the lowest layer to the highest. */
export function objectsByFrame(
  data: LabeledData,
  jobId: number,
  labels: readonly ComparedLabel[],
): (frame: number) => ComparedObject[] {
  const { values, elements } = createReaders(labels);
  const tagsOf = Map.groupBy(data.tags, ({ frame }) => frame);
  const shapesOf = Map.groupBy(data.shapes, ({ frame }) => frame);
  const readers = data.tracks.map((track) => [track, createTrackReader(track)] as const);

  const tags = (frame: number): ComparedObject[] =>
    (tagsOf.get(frame) ?? []).map(({ id = 0, label_id: labelId, group, attributes }) => ({
      id: { obj_id: id, job_id: jobId, type: 'tag', shape_type: null },
      labelId,
      type: 'tag',
      points: [],
      rotation: 0,
      zOrder: 0,
      group: group ?? 0,
      attributes: values(labelId, attributes),
      elements: [],
    }));
  const shapes = (frame: number): ComparedObject[] =>
    (shapesOf.get(frame) ?? [])
      .filter(({ outside }) => outside !== true)
      .map((shape) => ({
        id: { obj_id: shape.id ?? 0, job_id: jobId, type: 'shape', shape_type: shape.type },
        labelId: shape.label_id,
        type: shape.type,
        points: shape.points,
        rotation: shape.rotation,
        zOrder: shape.z_order,
        group: shape.group ?? 0,
        attributes: values(shape.label_id, shape.attributes, shape.occluded),
        elements: elements(shape.label_id, shape.elements),
      }));
  const tracks = (frame: number): ComparedObject[] =>
    readers.flatMap(([track, read]): ComparedObject[] => {
      const shown = read(frame);
      if (shown === null || shown.outside) return [];
      return [
        {
          id: { obj_id: track.id ?? 0, job_id: jobId, type: 'track', shape_type: shown.type },
          labelId: track.label_id,
          type: shown.type,
          points: shown.points,
          rotation: shown.rotation,
          zOrder: shown.z_order,
          group: track.group ?? 0,
          attributes: values(track.label_id, [...track.attributes, ...shown.attributes], shown.occluded),
          elements: elements(track.label_id, shown.elements),
        },
      ];
    });
  return (frame) => [
    ...tags(frame),
    ...[...shapes(frame), ...tracks(frame)].filter(isCompared).toSorted((a, b) => a.zOrder - b.zOrder),
  ];
}
