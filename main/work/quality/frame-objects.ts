import { createTrackReader } from '../../../preload/contract/interpolation.ts';
import type { AttributeValue, LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { ComparedObject } from './compared-object.ts';

const valuesOf = (attributes: readonly AttributeValue[]): ReadonlyMap<number, string> =>
  new Map(attributes.map(({ spec_id, value }) => [spec_id, value]));

type Parts = readonly { readonly label_id: number; readonly outside?: boolean; readonly points?: readonly number[] }[];
const drawn = (elements: Parts): ReadonlyMap<number, readonly number[]> =>
  new Map(
    elements.flatMap(({ label_id, outside, points }) => (outside === true || !points ? [] : [[label_id, points]])),
  );

/**
 * What annotations of a job show on each frame. Cuboids are not compared. For frame after frame: what stands on each is
 * looked up, not looked for.
 */
export function objectsByFrame(data: LabeledData, jobId: number): (frame: number) => ComparedObject[] {
  const tagsOf = Map.groupBy(data.tags, ({ frame }) => frame);
  const shapesOf = Map.groupBy(data.shapes, ({ frame }) => frame);
  const readers = data.tracks.map((track) => [track, createTrackReader(track)] as const);
  const plain = { points: [], rotation: 0, zOrder: 0, elements: new Map<number, readonly number[]>() };

  const tags = (frame: number): ComparedObject[] =>
    (tagsOf.get(frame) ?? []).map(({ id = 0, label_id: labelId, group = 0, attributes }) => {
      const annotation = { obj_id: id, job_id: jobId, type: 'tag', shape_type: null } as const;
      return { ...plain, id: annotation, labelId, type: 'tag', group: group ?? 0, attributes: valuesOf(attributes) };
    });
  const shapes = (frame: number): ComparedObject[] =>
    (shapesOf.get(frame) ?? [])
      .filter(({ outside, type }) => outside !== true && type !== 'cuboid')
      .map((shape) => ({
        id: { obj_id: shape.id ?? 0, job_id: jobId, type: 'shape', shape_type: shape.type },
        labelId: shape.label_id,
        type: shape.type,
        points: shape.points,
        rotation: shape.rotation,
        zOrder: shape.z_order,
        group: shape.group ?? 0,
        attributes: valuesOf(shape.attributes),
        elements: drawn(shape.elements),
      }));
  const tracks = (frame: number): ComparedObject[] =>
    readers.flatMap(([track, read]): ComparedObject[] => {
      const shown = read(frame);
      if (shown === null || shown.outside || shown.type === 'cuboid') return [];
      return [
        {
          id: { obj_id: track.id ?? 0, job_id: jobId, type: 'track', shape_type: shown.type },
          labelId: track.label_id,
          type: shown.type,
          points: shown.points,
          rotation: shown.rotation,
          zOrder: shown.z_order,
          group: track.group ?? 0,
          attributes: valuesOf([...track.attributes, ...shown.attributes]),
          elements: drawn(shown.elements),
        },
      ];
    });
  return (frame) => [...tags(frame), ...shapes(frame), ...tracks(frame)];
}
