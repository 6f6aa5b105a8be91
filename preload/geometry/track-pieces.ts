import {
  createTrackReader,
  createTrackShapeReader,
  interpolateTrack,
  type InterpolatedShape,
  trackShapeAtFrame,
} from './interpolation.ts';
import { indexRanges, partitionPoint, type FrameRange } from './frame-spans.ts';
import type { AttributeValue, ShapeType, SubTrack, Track, TrackedShape } from '../contract/schema/annotations.ts';

/**
 * A track of a task may span several jobs. Each stores a piece of it, cut as in CVAT 2.73, and reading merges the
 * pieces. All rules for both are in this file.
 *
 * Deliberate differences from CVAT, whose pieces are wrong in these cases: keeps the outside keyframe of a gap inside a
 * job, interpolates a shape that only rotates up to the border, starts a piece with the attributes before it, and
 * leaves out elements without keyframes in a job.
 */

export interface PieceKeyframe extends TrackedShape {
  /** Computed where the track was cut or where a piece ends, not drawn by a user. Also valid on deleted frames. */
  border?: true | undefined;
}

export interface PartOfPiece extends SubTrack {
  shapes: PieceKeyframe[];
}

/** Part of a track that one job stores, or an uncut track. */
export interface TrackPiece extends Track {
  shapes: PieceKeyframe[];
  elements: PartOfPiece[];
  /** Same number in all pieces of one track. */
  origin?: number;
}

export interface TrackWindow {
  readonly first: number;
  readonly last: number;
  readonly deleted: ReadonlySet<number>;
}

export interface TrackRun {
  readonly first: number;
  readonly last: number;
  /** On the first frame. On the others only points and rotation can differ. */
  readonly shape: InterpolatedShape;
}

export interface SeenTrack {
  /**
   * Keyframes within the window. They give the same shapes, except for polygons and polylines, whose points are matched
   * between them again.
   */
  readonly piece: TrackPiece;
  /** All frames on which it is visible, and keyframes on which it is not. */
  shapes(): Generator<InterpolatedShape>;
  /** Runs of frames on which it is visible without a keyframe in between. Deleted frames are not left out. */
  runs(): Generator<TrackRun>;
}

const byFrame = (a: { readonly frame: number }, b: { readonly frame: number }): number => a.frame - b.frame;

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

export function withValues(own: readonly AttributeValue[], others: readonly AttributeValue[]): AttributeValue[] {
  if (others.length === 0) return [...own];
  const missing = others.filter(({ spec_id }) => !own.some((value) => value.spec_id === spec_id));
  return missing.length === 0 ? [...own] : [...own, ...missing];
}

/** Cuts one part into any number of ranges. Its keyframes are sorted once, and then searched. */
function createKeyframeCutter(part: PartOfPiece): (first: number, last: number) => PieceKeyframe[] {
  const shapes = part.shapes.toSorted(byFrame);
  const at = createTrackShapeReader({ shapes });
  return (first, last) => cutKeyframes({ shapes, at }, first, last);
}

interface OrderedKeyframes {
  /** By ascending frame. */
  readonly shapes: readonly PieceKeyframe[];
  readonly at: (frame: number) => TrackedShape | null;
}

function cutKeyframes({ shapes, at }: OrderedKeyframes, first: number, last: number): PieceKeyframe[] {
  const shapeAt = (frame: number): PieceKeyframe[] => {
    const shape = at(frame);
    return shape ? [{ ...shape, border: true }] : [];
  };
  const begin = partitionPoint(shapes.length, (index) => shapes[index]!.frame < first);
  const behind = partitionPoint(shapes.length, (index) => shapes[index]!.frame <= last);
  const before = shapes[begin - 1];
  const isContinued = behind < shapes.length;
  const inside = shapes.slice(begin, behind);
  const comesOver = before !== undefined && !before.outside && inside[0]?.frame !== first;
  const visible = inside.findIndex(({ outside }) => !outside);
  const kept = comesOver ? [...shapeAt(first), ...inside] : visible < 0 ? [] : inside.slice(visible);
  const [start] = kept;
  const end = kept.at(-1);
  if (!start || !end) return [];
  kept[0] = { ...start, attributes: at(start.frame)?.attributes ?? start.attributes };
  if (end.outside || end.frame === last || !isContinued) return kept;
  const [border] = shapeAt(last);
  const moves = border && !(sameNumbers(border.points, end.points) && border.rotation === end.rotation);
  return moves ? [...kept, border] : kept;
}

const isNeverVisible = ({ shapes }: Pick<PartOfPiece, 'shapes'>): boolean => shapes.every(({ outside }) => outside);

/** Starts an element at `frame`: adds an outside keyframe there if its first one is later. */
function startAt<Part extends PartOfPiece>(part: Part, frame: number): Part {
  const [start] = part.shapes;
  if (!start || start.frame === frame) return { ...part, frame };
  return { ...part, frame, shapes: [{ ...start, frame, outside: true, border: true }, ...part.shapes] };
}

/** Piece of a track for a job with these frames; null if none of it is visible there. */
type Cutter = (first: number, last: number) => TrackPiece | null;

function createCutter(track: TrackPiece): Cutter {
  const cutOwn = createKeyframeCutter(track);
  const parts = track.elements.map((element) => ({ element, cut: createKeyframeCutter(element) }));
  return (first, last) => {
    const shapes = cutOwn(first, last);
    const elements = parts.flatMap(({ element, cut }): PartOfPiece[] => {
      const own = cut(first, last);
      return own.length === 0 ? [] : [{ ...element, frame: own[0]?.frame ?? first, shapes: own }];
    });
    if (shapes.length === 0 || isNeverVisible({ shapes })) return null;
    if (track.elements.length > 0 && elements.every(isNeverVisible)) return null;
    const start = shapes[0]?.frame ?? first;
    return { ...track, frame: start, shapes, elements: elements.map((element) => startAt(element, start)) };
  };
}

/** One piece. Cut into many jobs with `cutForJobs`, which sorts the keyframes once. */
export const cutTrack = (track: TrackPiece, first: number, last: number): TrackPiece | null =>
  createCutter(track)(first, last);

/** Frames that may show a track. One that does not end outside is visible on all later frames. */
export function framesOfTrack(track: TrackPiece): FrameRange {
  const parts = [track, ...track.elements].map(({ shapes }) => shapes.toSorted(byFrame));
  const starts = parts.flatMap(([start]) => (start ? [start.frame] : []));
  const ends = parts.flatMap((shapes) => {
    const end = shapes.at(-1);
    return end ? [end.outside ? end.frame : Infinity] : [];
  });
  return { first: Math.min(...starts), last: Math.max(...ends) };
}

/** Pieces of a track, each with the index of its job. */
export interface CutTrack {
  readonly pieces: readonly { readonly index: number; readonly piece: TrackPiece }[];
  /** True if the pieces differ from the track. Such pieces store their common origin. */
  readonly isCut: boolean;
}

/** Cuts a track for all jobs. A task with one job stores tracks uncut. */
export function cutForJobs(track: TrackPiece, jobs: readonly FrameRange[], jobsOf = indexRanges(jobs)): CutTrack {
  if (jobs.length === 1) return { pieces: [{ index: 0, piece: track }], isCut: false };
  const { first: start, last: end } = framesOfTrack(track);
  const cut = createCutter(track);
  const pieces = jobsOf.within(start, end).flatMap((index) => {
    const { first, last } = jobs[index]!;
    const piece = cut(first, last);
    return piece ? [{ index, piece }] : [];
  });
  const framesOf = (one: TrackPiece) =>
    [one, ...one.elements].map(({ shapes }) => shapes.toSorted(byFrame).map(({ frame }) => frame)).join(' ');
  const [only] = pieces;
  const isWhole = pieces.length === 1 && only !== undefined && framesOf(only.piece) === framesOf(track);
  return { pieces, isCut: pieces.length > 0 && !isWhole };
}

/** True if a changed keyframe has the geometry of the stored one. */
export const isSameKeyframe = (changed: TrackedShape, stored: PieceKeyframe): boolean =>
  stored.outside === changed.outside &&
  stored.rotation === changed.rotation &&
  sameNumbers(stored.points, changed.points);

/**
 * Restores border marks on a changed piece: unchanged computed keyframes stay marked, changed ones become the user's.
 */
export function withBordersOf(changed: Track, stored: TrackPiece): TrackPiece {
  const marked = <Part extends SubTrack>(part: Part, known: PartOfPiece | undefined) => {
    const borders = new Map(known?.shapes.flatMap((shape) => (shape.border ? [[shape.frame, shape]] : [])));
    const shapes = part.shapes.map((shape): PieceKeyframe => {
      const border = borders.get(shape.frame);
      return border && isSameKeyframe(shape, border) ? { ...shape, border: true } : shape;
    });
    return { ...part, shapes };
  };
  const elements = changed.elements.map((element) =>
    marked(
      element,
      stored.elements.find(({ label_id }) => label_id === element.label_id),
    ),
  );
  return { ...marked(changed, stored), elements };
}

export function withoutMarks({ origin: _origin, ...track }: TrackPiece): Track {
  const plain = <Part extends PartOfPiece>(part: Part): Part =>
    part.shapes.some(({ border }) => border === true)
      ? { ...part, shapes: part.shapes.map(({ border: _border, ...shape }) => shape) }
      : part;
  return { ...plain(track), elements: track.elements.map(plain) };
}

/** Ends a visible part with an outside keyframe on `frame`. */
function endPart<Part extends PartOfPiece>(part: Part, frame: number): Part {
  const last = part.shapes.toSorted(byFrame).at(-1);
  if (!last || last.outside || last.frame >= frame) return part;
  const { id: _, ...copy } = last;
  return { ...part, shapes: [...part.shapes, { ...copy, frame, outside: true, border: true }] };
}

/** Ends a track that no piece in the next job continues. */
export function endTrack(track: TrackPiece, frame: number): TrackPiece {
  return { ...endPart(track, frame), elements: track.elements.map((element) => endPart(element, frame)) };
}

/** Merges keyframes by frame; on common frames those of the earlier piece are kept. */
function unitePart<Part extends PartOfPiece>(earlier: Part, later: PartOfPiece, end: number): Part {
  const ended = later.frame > end ? endPart(earlier, end) : earlier;
  const shapes = new Map([...later.shapes, ...ended.shapes].map((shape) => [shape.frame, shape]));
  return { ...earlier, frame: Math.min(earlier.frame, later.frame), shapes: [...shapes.values()].sort(byFrame) };
}

/** Merges two pieces of one track. `end` is the first frame that only the later piece's job has. */
export function uniteTracks(earlier: TrackPiece, later: TrackPiece, end: number): TrackPiece {
  const elements = earlier.elements.map((element) => {
    const partner = later.elements.find(({ label_id }) => label_id === element.label_id);
    return partner ? unitePart(element, partner, end) : endPart(element, end);
  });
  const added = later.elements.filter(({ label_id }) => elements.every((element) => element.label_id !== label_id));
  return { ...unitePart(earlier, later, end), elements: [...elements, ...added] };
}

export function keyframesOf(track: TrackPiece): Set<number> {
  return new Set(
    [track, ...track.elements].flatMap(({ shapes }) => shapes.flatMap(({ border, frame }) => (border ? [] : frame))),
  );
}

/** Nearest frames before and after that are not deleted. */
function shownBeside(frame: number, deleted: ReadonlySet<number>): number[] {
  let [before, behind] = [frame - 1, frame + 1];
  while (deleted.has(before)) before -= 1;
  while (deleted.has(behind)) behind += 1;
  return [before, behind];
}

/**
 * Removes keyframes that users drew on deleted frames. Computed keyframes there move to the nearest remaining frames,
 * so that they stay effective.
 */
function counted<Part extends PartOfPiece>(part: Part, deleted: ReadonlySet<number>): Part {
  let values: AttributeValue[] = [];
  // Attribute values of a deleted keyframe apply to the next one.
  const named = part.shapes.toSorted(byFrame).map((shape) => {
    values = withValues(shape.attributes, values);
    return values.length === shape.attributes.length ? shape : { ...shape, attributes: values };
  });
  if (named.every(({ frame }) => !deleted.has(frame)))
    return { ...part, frame: named[0]?.frame ?? part.frame, shapes: named };
  const anchored = named.filter(({ frame, border }) => border === true || !deleted.has(frame));
  const known = new Set(anchored.map(({ frame }) => frame));
  const start = Math.min(...known);
  const beside = anchored
    .filter(({ frame }) => deleted.has(frame))
    .flatMap(({ frame }) => shownBeside(frame, deleted))
    .filter((frame) => frame >= start && !known.has(frame));
  const moved = [...new Set(beside)].flatMap((frame): PieceKeyframe[] => {
    const shape = trackShapeAtFrame({ shapes: anchored }, frame);
    return shape ? [{ ...shape, border: true }] : [];
  });
  const shapes = [...anchored.filter(({ frame }) => !deleted.has(frame)), ...moved].sort(byFrame);
  return { ...part, frame: shapes[0]?.frame ?? part.frame, shapes };
}

function isWithin({ shapes }: PartOfPiece, first: number, last: number): boolean {
  return shapes.every(({ frame }) => frame >= first && frame <= last);
}

/** Removes keyframes that users drew on deleted frames. */
export const withoutDeleted = (track: TrackPiece, deleted: ReadonlySet<number>): TrackPiece => ({
  ...counted(track, deleted),
  elements: track.elements.map((element) => counted(element, deleted)),
});

/** Reads a track in a window, without keyframes on deleted frames; null if none of it is visible. */
export function readTrack(track: TrackPiece, { first, last, deleted }: TrackWindow): SeenTrack | null {
  const whole = withoutDeleted(track, deleted);
  let [from, to] = [first, last];
  while (from <= to && deleted.has(from)) from += 1;
  while (to >= from && deleted.has(to)) to -= 1;
  if (from > to || whole.shapes.length === 0) return null;
  const fits = [whole, ...whole.elements].every((part) => isWithin(part, from, to));
  const piece = fits ? whole : cutTrack(whole, from, to);
  if (!piece) return null;
  const framesOf = ({ shapes }: PartOfPiece) => new Set(shapes.map(({ frame }) => frame));
  const keyframes = framesOf(piece);
  const elementKeyframes = new Map(piece.elements.map((element) => [element.label_id, framesOf(element)]));
  return {
    piece,
    *shapes() {
      for (const shape of interpolateTrack(whole, from, to + 1, {
        includeOutside: true,
        deletedFrames: deleted,
        hold: true,
      })) {
        const elements = shape.elements.map((element) => ({
          ...element,
          keyframe: elementKeyframes.get(element.label_id)?.has(element.frame) === true,
          outside: element.outside || shape.outside,
        }));
        const seen = { ...shape, keyframe: keyframes.has(shape.frame), elements };
        if (isVisible(seen) || seen.keyframe || elements.some(({ keyframe }) => keyframe)) yield seen;
      }
    },
    *runs() {
      const at = createTrackReader(whole, { hold: true });
      const changes = [whole, ...whole.elements].flatMap(({ shapes }) => shapes.map(({ frame }) => frame));
      const starts = [...new Set([from, ...changes])].filter((frame) => frame >= from && frame <= to);
      starts.sort((a, b) => a - b);
      for (const [index, start] of starts.entries()) {
        const shape = at(start);
        if (shape && isVisible(shape)) yield { first: start, last: (starts[index + 1] ?? to + 1) - 1, shape };
      }
    },
  };
}

/** A skeleton is visible if one of its elements is. */
export function isVisible(shape: {
  readonly type: ShapeType;
  readonly outside: boolean;
  readonly elements: readonly { readonly outside: boolean }[];
}): boolean {
  return !shape.outside && (shape.type !== 'skeleton' || shape.elements.some((element) => !element.outside));
}
