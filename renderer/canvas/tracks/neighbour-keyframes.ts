import { sameContent } from '../same-record.ts';
import type { RecordChange, TrackRecord } from '../types.ts';
import { carryKeyframe } from './track-edits.ts';
import { createTrackShapes, partsOf } from './track-shapes.ts';

interface Deletion {
  readonly frame: number;
  readonly frames: readonly number[];
  /** Without `frame`. */
  readonly deleted: ReadonlySet<number>;
}

/**
 * Keyframes that preserve tracks on the other frames when a frame is deleted, because its keyframes are ignored then.
 * They are copied to the next frame, or from the last frame to the previous one.
 */
export function neighbourKeyframes(
  tracks: readonly TrackRecord[],
  { frame, frames, deleted }: Deletion,
): { readonly to: number | null; readonly changes: readonly RecordChange[] } {
  const left = frames.filter((one) => one !== frame && !deleted.has(one));
  const to = left.find((one) => one > frame) ?? left.findLast((one) => one < frame) ?? null;
  if (to === null) return { to, changes: [] };
  const now = createTrackShapes(deleted);
  const then = createTrackShapes(new Set([...deleted, frame]));
  const changes = tracks.flatMap((before): RecordChange[] => {
    if (!partsOf(before).some(({ keyframes }) => keyframes.some((one) => one.frame === frame))) return [];
    if (sameContent(now.at(before, to), then.at(before, to))) return [];
    const after = carryKeyframe(before, frame, to);
    return after === null ? [] : [{ clientId: before.clientId, before, after }];
  });
  return { to, changes };
}
