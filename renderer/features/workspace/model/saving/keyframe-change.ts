import type { TrackedShape } from '../../../../../preload/contract/schema/annotations.ts';
import type { Edit, SaveBatch, TrackBody } from './save-types.ts';

/** Change of one keyframe; without a keyframe, its deletion. */
export interface KeyframeChange {
  readonly track: number;
  readonly frame: number;
  readonly keyframe: TrackedShape | null;
}

type TrackEdit = Extract<Edit, { collection: 'tracks' }>;

/** The only keyframe in which a batch changes the service's state; null if it changes more, or something else. */
export function keyframeChangeOf({ action, edits }: SaveBatch): KeyframeChange | null {
  const [edit] = edits;
  if (action !== 'update' || edits.length !== 1 || edit?.collection !== 'tracks') return null;
  const { base, body, serverId } = edit as TrackEdit;
  if (base === undefined || serverId === undefined || !differInKeyframesOnly(base, body)) return null;
  const frames = changedFrames(base.shapes, body.shapes);
  const [frame] = frames;
  if (frame === undefined || frames.length > 1) return null;
  return { track: serverId, frame, keyframe: body.shapes.find((shape) => shape.frame === frame) ?? null };
}

/** The service keeps the start of a track at its first keyframe. */
function differInKeyframesOnly(base: TrackBody, body: TrackBody): boolean {
  const isAtFirst = ({ frame, shapes }: TrackBody): boolean => shapes.length > 0 && shapes[0]?.frame === frame;
  const others = ({ shapes: _shapes, frame: _frame, ...rest }: TrackBody): string => JSON.stringify(rest);
  const isPlain = base.elements.length === 0 && body.elements.length === 0;
  return isPlain && isAtFirst(base) && isAtFirst(body) && others(base) === others(body);
}

/** At most two, because more need the entire track anyway. Both lists are in order of frames. */
function changedFrames(before: readonly TrackedShape[], after: readonly TrackedShape[]): number[] {
  const frames: number[] = [];
  for (let [a, b] = [0, 0]; (a < before.length || b < after.length) && frames.length < 2;) {
    const [old, now] = [before[a], after[b]];
    const frame = Math.min(old?.frame ?? Infinity, now?.frame ?? Infinity);
    const isSame = old?.frame === now?.frame && JSON.stringify(old) === JSON.stringify(now);
    if (!isSame) frames.push(frame);
    if (old?.frame === frame) a += 1;
    if (now?.frame === frame) b += 1;
  }
  return frames;
}
