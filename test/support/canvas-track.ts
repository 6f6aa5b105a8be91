import type { TrackKeyframe, TrackRecord } from '../../renderer/canvas/types.ts';

/** A box of one pixel per keyframe with label 1. Its x coordinate is the frame number. */
export function makeTrack(
  clientId: string,
  keyframes: readonly (readonly [frame: number, state?: 'outside' | 'occluded'])[],
): TrackRecord {
  return {
    kind: 'track',
    clientId,
    labelId: 1,
    frame: keyframes[0]?.[0] ?? 0,
    group: 0,
    source: 'manual',
    attributes: [],
    locked: false,
    hidden: false,
    keyframes: keyframes.map(([frame, state]): TrackKeyframe => ({
      frame,
      type: 'rectangle',
      points: [frame, 0, frame + 1, 1],
      rotation: 0,
      outside: state === 'outside',
      occluded: state === 'occluded',
      z_order: 0,
      attributes: [],
    })),
  };
}
