import { keyframesOf } from '../../../../canvas/tracks/track-edits.ts';
import { partsOf } from '../../../../canvas/tracks/track-shapes.ts';
import type { TrackKeyframe, TrackPart, TrackRecord } from '../../../../canvas/types.ts';

/** Pure geometry of the timeline: frames, pixels and rows. */

export const rowHeightPx = 24;
export const rulerHeightPx = 22;
/** Maximum distance between pointer and keyframe, screen pixels. */
const reachPx = 6;
const markReachPx = 4;
const markWidthPx = 12;
const smallestPx = 0.02;
const largestPx = 60;

/** Frames of a job, both ends included. */
export interface FrameRange {
  readonly first: number;
  readonly last: number;
}

export interface TimeView {
  /** Frame at the left edge; may be fractional. */
  readonly from: number;
  /** Pixels per frame. */
  readonly scale: number;
}

/** Centre of a frame, pixels from the left edge. */
export const xOf = ({ from, scale }: TimeView, frame: number): number => (frame - from + 0.5) * scale;

export const frameAt = ({ from, scale }: TimeView, x: number, { first, last }: FrameRange): number =>
  Math.min(last, Math.max(first, Math.floor(from + x / scale)));

/** Limits the view to the job and the zoom to its bounds. */
export function fitted(view: TimeView, { first, last }: FrameRange, width: number): TimeView {
  const count = last - first + 1;
  const whole = width / count;
  const scale = Math.min(largestPx, Math.max(Math.min(whole, largestPx), Math.max(smallestPx, view.scale)));
  const from = Math.max(first, Math.min(view.from, last + 1 - width / scale));
  return { from, scale };
}

/** Zooms around `x`: the frame at `x` keeps its position. */
export const zoomedAt = (view: TimeView, x: number, factor: number, range: FrameRange, width: number): TimeView => {
  const under = view.from + x / view.scale;
  const { scale } = fitted({ from: view.from, scale: view.scale * factor }, range, width);
  return fitted({ from: under - x / scale, scale }, range, width);
};

export function revealed(view: TimeView, frame: number, range: FrameRange, width: number): TimeView {
  const x = xOf(view, frame);
  return x >= 0 && x <= width ? view : fitted({ ...view, from: frame - width / view.scale / 2 }, range, width);
}

/** Step of the ruler's numbers: at least 40 pixels. */
export const rulerStep = (scale: number): number =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000].find((step) => step * scale >= 40) ??
  100_000;

/** Visible range of a track, both frames included. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly state: 'seen' | 'occluded' | 'outside';
}

/** Last keyframe at or before a frame; undefined before the first one. */
const stateAt = ({ keyframes }: TrackPart, frame: number): TrackKeyframe | undefined =>
  keyframes.findLast((one) => one.frame <= frame);

/** Frames with a possible change; keyframes on deleted frames are ignored. */
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
 * From the first keyframe to the end of the job or the final outside keyframe. A skeleton is outside where all its
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

/** Number of visible tracks per frame; zero on deleted frames. */
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

export function keyframeAt(track: TrackRecord, view: TimeView, x: number): number | null {
  const near = keyframesOf(track)
    .map((frame) => ({ frame, distance: Math.abs(xOf(view, frame) - x) }))
    .filter(({ distance }) => distance <= reachPx)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.frame ?? null;
}

/** Object of a drag: a keyframe on `from`, or the start or end of a visible range at `from`. */
export interface Grabbed {
  readonly what: 'keyframe' | 'begin' | 'end';
  readonly from: number;
}

/** Nearest drag target under the pointer: a keyframe or an end of a range. */
export function grabbedAt(
  track: TrackRecord,
  view: TimeView,
  x: number,
  { last }: FrameRange,
  deleted: ReadonlySet<number>,
): Grabbed | null {
  const keyframe = keyframeAt(track, view, x);
  const seen = spansOf(track, last, deleted).filter(({ state }) => state !== 'outside');
  const [first, end] = [seen[0], seen.at(-1)];
  const found: { readonly grabbed: Grabbed; readonly distance: number }[] = [];
  const add = (grabbed: Grabbed, place: number): void => {
    const distance = Math.abs(place - x);
    if (distance <= reachPx) found.push({ grabbed, distance });
  };
  // Added first, so that a keyframe wins over an end at the same distance.
  if (keyframe !== null) add({ what: 'keyframe', from: keyframe }, xOf(view, keyframe));
  if (first !== undefined) add({ what: 'begin', from: first.from }, xOf(view, first.from - 0.5));
  if (end !== undefined) add({ what: 'end', from: end.to }, xOf(view, end.to + 0.5));
  return found.sort((a, b) => a.distance - b.distance)[0]?.grabbed ?? null;
}

/** Target frame of a drag to `x`; ends of ranges are between frames. */
export function frameOfDrag({ what }: Grabbed, view: TimeView, x: number, range: FrameRange): number {
  const half = what === 'keyframe' ? 0 : what === 'begin' ? 0.5 : -0.5;
  return frameAt(view, x + half * view.scale, range);
}

/** Tracks whose label contains the text or whose displayed number equals it. */
export function filtered(
  tracks: readonly TrackRecord[],
  text: string,
  nameOf: (labelId: number) => string,
  numberOf: (track: TrackRecord) => number | undefined,
): readonly TrackRecord[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return tracks;
  return tracks.filter(
    (track) => nameOf(track.labelId).toLowerCase().includes(wanted) || String(numberOf(track)) === wanted,
  );
}

/** Consecutive frames, both ends included. */
interface FrameRun {
  readonly from: number;
  readonly to: number;
}

const knownRuns = new WeakMap<ReadonlySet<number>, readonly FrameRun[]>();

/** Deleted frames as runs, ascending. */
export function runsOf(frames: ReadonlySet<number>): readonly FrameRun[] {
  const before = knownRuns.get(frames);
  if (before !== undefined) return before;
  const runs: FrameRun[] = [];
  for (const frame of [...frames].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === frame - 1) runs[runs.length - 1] = { from: last.from, to: frame };
    else runs.push({ from: frame, to: frame });
  }
  knownRuns.set(frames, runs);
  return runs;
}

/** The deleted frame at `x`; at small scales, one close enough to its mark. */
export function deletedAt(deleted: ReadonlySet<number>, view: TimeView, x: number): number | null {
  const at = Math.floor(view.from + x / view.scale);
  if (deleted.has(at)) return at;
  if (view.scale > markReachPx * 2) return null;
  const near = runsOf(deleted)
    .flatMap(({ from, to }) => [from, to])
    .map((frame) => ({ frame, distance: Math.abs(xOf(view, frame) - x) - view.scale / 2 }))
    .filter(({ distance }) => distance <= markReachPx)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.frame ?? null;
}

export interface IssueMark {
  readonly frame: number;
  /** Its centre, pixels from the left edge. */
  readonly x: number;
  readonly count: number;
  readonly isResolved: boolean;
}

/** Marks of the visible issues; overlapping ones are merged. `issues` are sorted by frame. */
export function issueMarks(
  issues: readonly { readonly frame: number; readonly resolved: boolean }[],
  view: TimeView,
  width: number,
): IssueMark[] {
  const marks: IssueMark[] = [];
  for (const { frame, resolved } of issues) {
    const x = xOf(view, frame);
    if (x < 0 || x > width) continue;
    const last = marks.at(-1);
    if (last === undefined || x - last.x >= markWidthPx) marks.push({ frame, x, count: 1, isResolved: resolved });
    else marks[marks.length - 1] = { ...last, count: last.count + 1, isResolved: last.isResolved && resolved };
  }
  return marks;
}

/** True if the track is outside from the frame on, so that its keyframe there ends the visible range. */
export const isOutAt = (track: TrackRecord, frame: number, last: number, deleted: ReadonlySet<number>): boolean =>
  !spansOf(track, last, deleted).some(({ from, to, state }) => state !== 'outside' && from <= frame && frame <= to);
