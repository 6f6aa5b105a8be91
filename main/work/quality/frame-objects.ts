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

/** What annotations of a job show on a frame. Cuboids are not compared. */
export function objectsOnFrame(data: LabeledData, jobId: number, frame: number): ComparedObject[] {
  const plain = { points: [], rotation: 0, zOrder: 0, elements: new Map<number, readonly number[]>() };
  const tags = data.tags
    .filter((tag) => tag.frame === frame)
    .map(({ id = 0, label_id: labelId, group = 0, attributes }): ComparedObject => {
      const annotation = { obj_id: id, job_id: jobId, type: 'tag', shape_type: null } as const;
      return { ...plain, id: annotation, labelId, type: 'tag', group: group ?? 0, attributes: valuesOf(attributes) };
    });
  const shapes = data.shapes
    .filter((shape) => shape.frame === frame && shape.outside !== true && shape.type !== 'cuboid')
    .map((shape): ComparedObject => ({
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
  const tracks = data.tracks.flatMap((track): ComparedObject[] => {
    const shown = createTrackReader(track)(frame);
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
  return [...tags, ...shapes, ...tracks];
}
