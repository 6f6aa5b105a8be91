import { keyframesOf } from '../../../canvas/tracks/track-edits.ts';
import { partsOf } from '../../../canvas/tracks/track-shapes.ts';
import type { TrackKeyframe, TrackPart, TrackRecord } from '../../../canvas/types.ts';

/** Pure maths of the timeline: frames, pixels and rows. */

export const rowHeightPx = 24;
/** How near the pointer has to be to a keyframe, screen pixels. */
const reachPx = 6;
const smallestPx = 0.02;
const largestPx = 60;

/** Frames a job has, both included. */
export interface FrameRange {
  readonly first: number;
  readonly last: number;
}

export interface TimeView {
  /** At the left edge; may lie between frames. */
  readonly from: number;
  /** Pixels a frame is wide. */
  readonly scale: number;
}

/** Middle of a frame, pixels from the left edge. */
export const xOf = ({ from, scale }: TimeView, frame: number): number => (frame - from + 0.5) * scale;

export const frameAt = ({ from, scale }: TimeView, x: number, { first, last }: FrameRange): number =>
  Math.min(last, Math.max(first, Math.floor(from + x / scale)));

/** Keeps the view on the job: never beyond its ends, never narrower than it could be. */
export function fitted(view: TimeView, { first, last }: FrameRange, width: number): TimeView {
  const count = last - first + 1;
  const whole = width / count;
  const scale = Math.min(largestPx, Math.max(Math.min(whole, largestPx), Math.max(smallestPx, view.scale)));
  const from = Math.max(first, Math.min(view.from, last + 1 - width / scale));
  return { from, scale };
}

/** The frame under the pointer stays there. */
export const zoomedAt = (view: TimeView, x: number, factor: number, range: FrameRange, width: number): TimeView => {
  const under = view.from + x / view.scale;
  const { scale } = fitted({ from: view.from, scale: view.scale * factor }, range, width);
  return fitted({ from: under - x / scale, scale }, range, width);
};

/** The frame comes into view, in the middle, where it is not. */
export function revealed(view: TimeView, frame: number, range: FrameRange, width: number): TimeView {
  const x = xOf(view, frame);
  return x >= 0 && x <= width ? view : fitted({ ...view, from: frame - width / view.scale / 2 }, range, width);
}

/** Steps of the ruler: at least 40 pixels apart. */
export const rulerStep = (scale: number): number =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000].find((step) => step * scale >= 40) ??
  100_000;

/** A part of a track's life, both frames included. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly state: 'seen' | 'occluded' | 'outside';
}

/** The part's state from a frame on: its last keyframe there or before; undefined where it has not begun. */
const stateAt = ({ keyframes }: TrackPart, frame: number): TrackKeyframe | undefined =>
  keyframes.findLast((one) => one.frame <= frame);

/** Frames on which something may change, keyframes on deleted frames aside: they do not count. */
const changesOf = (track: TrackRecord, deleted: ReadonlySet<number>): number[] =>
  [
    ...new Set(
      partsOf(track).flatMap(({ keyframes }) =>
        keyframes.flatMap(({ frame, border }) => (border === true || !deleted.has(frame) ? frame : [])),
      ),
    ),
  ].sort((a, b) => a - b);

function counted<Part extends TrackPart>(part: Part, deleted: ReadonlySet<number>): Part {
  if (deleted.size === 0) return part;
  return { ...part, keyframes: part.keyframes.filter(({ frame, border }) => border === true || !deleted.has(frame)) };
}

const known = new WeakMap<
  TrackRecord,
  { readonly key: ReadonlySet<number>; readonly last: number; readonly spans: readonly Span[] }
>();

/**
 * From the first keyframe to the end of the job, or to where it goes out for good. A skeleton is out where all of its
 * elements are.
 */
export function spansOf(track: TrackRecord, last: number, deleted: ReadonlySet<number>): readonly Span[] {
  const before = known.get(track);
  if (before?.last === last && before.key === deleted) return before.spans;
  const own = counted(track, deleted);
  const elements = (track.elements ?? []).map((part) => counted(part, deleted));
  const isOut = (frame: number): boolean =>
    stateAt(own, frame)?.outside !== false ||
    (elements.length > 0 && elements.every((part) => stateAt(part, frame)?.outside !== false));
  const spans: Span[] = [];
  const frames = changesOf(track, deleted);
  frames.forEach((frame, index) => {
    const to = Math.min(last, (frames[index + 1] ?? last + 1) - 1);
    if (to < frame) return;
    const state = isOut(frame) ? 'outside' : stateAt(own, frame)?.occluded === true ? 'occluded' : 'seen';
    const previous = spans.at(-1);
    if (previous?.state === state) spans[spans.length - 1] = { ...previous, to };
    else spans.push({ from: frame, to, state });
  });
  if (spans.at(-1)?.state === 'outside') spans.pop();
  known.set(track, { key: deleted, last, spans });
  return spans;
}

/** Tracks that are seen on each frame of the job; none on deleted frames. */
export function densityOf(
  tracks: readonly TrackRecord[],
  { first, last }: FrameRange,
  deleted: ReadonlySet<number>,
): Uint32Array {
  const changes = new Int32Array(last - first + 2);
  for (const track of tracks) {
    for (const { from, to, state } of spansOf(track, last, deleted)) {
      if (state === 'outside' || to < first) continue;
      const [start, end] = [Math.max(from, first) - first, to - first + 1];
      changes[start] = (changes[start] ?? 0) + 1;
      changes[end] = (changes[end] ?? 0) - 1;
    }
  }
  const density = new Uint32Array(last - first + 1);
  let seen = 0;
  for (let index = 0; index < density.length; index += 1) {
    seen += changes[index] ?? 0;
    density[index] = deleted.has(first + index) ? 0 : seen;
  }
  return density;
}

/** The keyframe of a track under the pointer; the nearest one of several. */
export function keyframeAt(track: TrackRecord, view: TimeView, x: number): number | null {
  const near = keyframesOf(track)
    .map((frame) => ({ frame, distance: Math.abs(xOf(view, frame) - x) }))
    .filter(({ distance }) => distance <= reachPx)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.frame ?? null;
}

/** Those whose label's name or number in the list has the text. */
export function filtered(
  tracks: readonly TrackRecord[],
  text: string,
  nameOf: (labelId: number) => string,
): readonly TrackRecord[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return tracks;
  return tracks.filter(
    (track, index) => nameOf(track.labelId).toLowerCase().includes(wanted) || String(index + 1) === wanted,
  );
}

/** Whether a track is out from a frame on, so that its keyframe there ends what is seen. */
export const isOutAt = (track: TrackRecord, frame: number, last: number, deleted: ReadonlySet<number>): boolean =>
  !spansOf(track, last, deleted).some(({ from, to, state }) => state !== 'outside' && from <= frame && frame <= to);
