import type { FilterObject } from '../../../../../preload/geometry/filter-match.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';

/** Filterable properties of an object on the displayed frame. */
export function factsOf(record: SceneRecord): FilterObject {
  const { serverId = null, labelId, frame, group, source, attributes } = record;
  const common = { serverId, labelId, frame, group, source, attributes };
  if (record.kind === 'tag') return { ...common, type: 'tag', shape: null };
  const { type, points, rotation, occluded, score, zOrder, elements, trackId } = record;
  const isTrack = trackId !== undefined;
  return {
    ...common,
    type: isTrack ? 'track' : 'shape',
    shape: {
      type,
      points,
      rotation,
      occluded,
      zOrder,
      // The service stores no score for tracks.
      score: isTrack ? null : score,
      ...(elements === undefined ? {} : { elements }),
    },
  };
}
