import type { FilterObject } from '../../../preload/contract/object-filter/filter-match.ts';
import type { Shape, Tag } from '../../../preload/contract/schema/annotations.ts';
import { isVisible, readTrack, type TrackPiece, type TrackWindow } from '../../../preload/contract/track-pieces.ts';

const common = ({ id, label_id, frame, group, source, attributes }: Tag | Shape) => ({
  serverId: id ?? null,
  labelId: label_id,
  frame,
  group: group ?? 0,
  source,
  attributes,
});

/** What filters ask about, of what the store holds. The same as on the screen. */
export const tagFacts = (tag: Tag): FilterObject => ({ ...common(tag), type: 'tag', shape: null });

export const shapeFacts = (shape: Shape): FilterObject => {
  const { type, points, rotation, occluded, score, z_order: zOrder, elements } = shape;
  return { ...common(shape), type: 'shape', shape: { type, points, rotation, occluded, score, zOrder, elements } };
};

/** The track on each frame on which it is seen. */
export function* trackFacts(track: TrackPiece, window: TrackWindow): Generator<FilterObject> {
  const seen = readTrack(track, window);
  if (seen === null) return;
  for (const shape of seen.shapes()) {
    if (!isVisible(shape)) continue;
    const { frame, type, points, rotation, occluded, z_order: zOrder, elements, attributes } = shape;
    yield {
      type: 'track',
      serverId: track.id ?? null,
      labelId: track.label_id,
      frame,
      group: track.group ?? 0,
      source: track.source,
      attributes: [...track.attributes, ...attributes],
      shape: { type, points, rotation, occluded, zOrder, score: null, elements },
    };
  }
}
