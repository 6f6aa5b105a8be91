import { interpolateTrack, type InterpolatedShape, trackShapeAtFrame } from './interpolation.ts';
import type { AttributeValue, ShapeType, SubTrack, Track, TrackedShape } from './schema/annotations.ts';

/**
 * A track of a task belongs to several jobs: each stores a piece of it, cut as CVAT 2.73 cuts, and reads put the pieces
 * together again. These are the rules of both, the only place that has them.
 *
 * Where CVAT's own pieces are wrong these are right: the outside keyframe of a gap inside a job is kept, a shape that
 * only turns turns up to the border, the first keyframe of a piece goes on with the attributes before it, and an
 * element without keyframes in a job takes no part there.
 */

/** A keyframe as a job stores it. */
export interface PieceKeyframe extends TrackedShape {
  /** Nobody drew it: it was computed where the track was cut, or where a piece ends. It counts on deleted frames too. */
  border?: true | undefined;
}

export interface PartOfPiece extends SubTrack {
  shapes: PieceKeyframe[];
}

/** What a job stores of a track; a track that was never cut is one as well. */
export interface TrackPiece extends Track {
  shapes: PieceKeyframe[];
  elements: PartOfPiece[];
  /** The same number for all pieces that were cut from one track. */
  origin?: number;
}

/** Frames that are read: those of a task or of one job. */
export interface TrackWindow {
  readonly first: number;
  readonly last: number;
  readonly deleted: ReadonlySet<number>;
}

/** A track as a window shows it. */
export interface SeenTrack {
  /** The keyframes within the window. They give the same shapes, but for outlines, which are matched anew between them. */
  readonly piece: TrackPiece;
  /** Every frame on which it is visible, and its keyframes where it is not. */
  shapes(): Generator<InterpolatedShape>;
}

const byFrame = (a: { readonly frame: number }, b: { readonly frame: number }): number => a.frame - b.frame;

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Own values, and for those that are missing the ones given. */
export function withValues(own: readonly AttributeValue[], others: readonly AttributeValue[]): AttributeValue[] {
  const missing = others.filter(({ spec_id }) => !own.some((value) => value.spec_id === spec_id));
  return missing.length === 0 ? [...own] : [...own, ...missing];
}

function cutKeyframes(part: PartOfPiece, first: number, last: number): PieceKeyframe[] {
  const shapes = part.shapes.toSorted(byFrame);
  const shapeAt = (frame: number): PieceKeyframe[] => {
    const shape = trackShapeAtFrame({ shapes }, frame);
    return shape ? [{ ...shape, border: true }] : [];
  };
  const before = shapes.findLast(({ frame }) => frame < first);
  const isContinued = shapes.some(({ frame }) => frame > last);
  const inside = shapes.filter(({ frame }) => frame >= first && frame <= last);
  const comesOver = before !== undefined && !before.outside && inside[0]?.frame !== first;
  const visible = inside.findIndex(({ outside }) => !outside);
  const kept = comesOver ? [...shapeAt(first), ...inside] : visible < 0 ? [] : inside.slice(visible);
  const [start] = kept;
  const end = kept.at(-1);
  if (!start || !end) return [];
  kept[0] = { ...start, attributes: trackShapeAtFrame({ shapes }, start.frame)?.attributes ?? start.attributes };
  if (end.outside || end.frame === last || !isContinued) return kept;
  const [border] = shapeAt(last);
  const moves = border && !(sameNumbers(border.points, end.points) && border.rotation === end.rotation);
  return moves ? [...kept, border] : kept;
}

const isNeverVisible = ({ shapes }: PartOfPiece): boolean => shapes.every(({ outside }) => outside);

/** Keyframes before `frame` go; what is visible there begins there. */
function startAt<Part extends PartOfPiece>(part: Part, frame: number): Part {
  const [start] = part.shapes;
  if (!start || start.frame === frame) return { ...part, frame };
  return { ...part, frame, shapes: [{ ...start, frame, outside: true, border: true }, ...part.shapes] };
}

/** What a job with these frames stores of a track; null where nothing of it is visible. */
export function cutTrack(track: TrackPiece, first: number, last: number): TrackPiece | null {
  const shapes = cutKeyframes(track, first, last);
  const elements = track.elements.flatMap((element): PartOfPiece[] => {
    const own = cutKeyframes(element, first, last);
    return own.length === 0 ? [] : [{ ...element, frame: own[0]?.frame ?? first, shapes: own }];
  });
  if (shapes.length === 0 || isNeverVisible({ ...track, shapes })) return null;
  if (track.elements.length > 0 && elements.every(isNeverVisible)) return null;
  const start = shapes[0]?.frame ?? first;
  return { ...track, frame: start, shapes, elements: elements.map((element) => startAt(element, start)) };
}

/** What each job of a task stores of a track: the piece, and the place of its job. */
export interface CutTrack {
  readonly pieces: readonly { readonly index: number; readonly piece: TrackPiece }[];
  /** Whether the pieces are not simply the track itself: then they remember what they were cut from. */
  readonly isCut: boolean;
}

/** A task of one job stores its tracks as they are. */
export function cutForJobs(track: TrackPiece, jobs: readonly Pick<TrackWindow, 'first' | 'last'>[]): CutTrack {
  if (jobs.length === 1) return { pieces: [{ index: 0, piece: track }], isCut: false };
  const pieces = jobs.flatMap(({ first, last }, index) => {
    const piece = cutTrack(track, first, last);
    return piece ? [{ index, piece }] : [];
  });
  const framesOf = (one: TrackPiece) =>
    [one, ...one.elements].map(({ shapes }) => shapes.toSorted(byFrame).map(({ frame }) => frame)).join(' ');
  const [only] = pieces;
  const isWhole = pieces.length === 1 && only !== undefined && framesOf(only.piece) === framesOf(track);
  return { pieces, isCut: pieces.length > 0 && !isWhole };
}

/**
 * A piece that somebody changed, with the marks of those keyframes that were left as they were: what was computed stays
 * computed, what somebody moved is a keyframe of theirs.
 */
export function withBordersOf(changed: Track, stored: TrackPiece): TrackPiece {
  const marked = <Part extends SubTrack>(part: Part, known: PartOfPiece | undefined) => {
    const borders = new Map(known?.shapes.flatMap((shape) => (shape.border ? [[shape.frame, shape]] : [])));
    const isSame = (shape: TrackedShape, border: PieceKeyframe | undefined) =>
      border !== undefined &&
      border.outside === shape.outside &&
      border.rotation === shape.rotation &&
      sameNumbers(border.points, shape.points);
    const shapes = part.shapes.map((shape): PieceKeyframe =>
      isSame(shape, borders.get(shape.frame)) ? { ...shape, border: true } : shape,
    );
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

/** As the API carries it. */
export function withoutMarks({ origin: _origin, ...track }: TrackPiece): Track {
  const plain = <Part extends PartOfPiece>(part: Part): Part =>
    part.shapes.some(({ border }) => border === true)
      ? { ...part, shapes: part.shapes.map(({ border: _border, ...shape }) => shape) }
      : part;
  return { ...plain(track), elements: track.elements.map(plain) };
}

/** Ends what is still visible by a keyframe outside on `frame`. */
function endPart<Part extends PartOfPiece>(part: Part, frame: number): Part {
  const last = part.shapes.toSorted(byFrame).at(-1);
  if (!last || last.outside || last.frame >= frame) return part;
  const { id: _, ...copy } = last;
  return { ...part, shapes: [...part.shapes, { ...copy, frame, outside: true, border: true }] };
}

/** The track of an earlier job that no piece of the next one goes on. */
export function endTrack(track: TrackPiece, frame: number): TrackPiece {
  return { ...endPart(track, frame), elements: track.elements.map((element) => endPart(element, frame)) };
}

/** The keyframes of both, by frame; on a frame that both have, the earlier piece's. */
function unitePart<Part extends PartOfPiece>(earlier: Part, later: PartOfPiece, end: number): Part {
  const ended = later.frame > end ? endPart(earlier, end) : earlier;
  const shapes = new Map([...later.shapes, ...ended.shapes].map((shape) => [shape.frame, shape]));
  return { ...earlier, frame: Math.min(earlier.frame, later.frame), shapes: [...shapes.values()].sort(byFrame) };
}

/** Two pieces of one track; `end` is the first frame that only the later one's job has. */
export function uniteTracks(earlier: TrackPiece, later: TrackPiece, end: number): TrackPiece {
  const elements = earlier.elements.map((element) => {
    const partner = later.elements.find(({ label_id }) => label_id === element.label_id);
    return partner ? unitePart(element, partner, end) : endPart(element, end);
  });
  const added = later.elements.filter(({ label_id }) => elements.every((element) => element.label_id !== label_id));
  return { ...unitePart(earlier, later, end), elements: [...elements, ...added] };
}

/** The frames on which a track has keyframes that somebody drew. */
export function keyframesOf(track: TrackPiece): Set<number> {
  return new Set(
    [track, ...track.elements].flatMap(({ shapes }) => shapes.flatMap(({ border, frame }) => (border ? [] : frame))),
  );
}

/** The nearest frames before and behind one that are not deleted. */
function shownBeside(frame: number, deleted: ReadonlySet<number>): number[] {
  let [before, behind] = [frame - 1, frame + 1];
  while (deleted.has(before)) before -= 1;
  while (deleted.has(behind)) behind += 1;
  return [before, behind];
}

/**
 * The part as if nobody had drawn its keyframes on deleted frames. Borders there move aside, so that what they say goes
 * on: they become keyframes on the nearest frames that are left.
 */
function counted<Part extends PartOfPiece>(part: Part, deleted: ReadonlySet<number>): Part {
  let values: AttributeValue[] = [];
  // What a deleted keyframe said of attributes goes on with the next one.
  const named = part.shapes.toSorted(byFrame).map((shape) => {
    values = withValues(shape.attributes, values);
    return { ...shape, attributes: values };
  });
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

/** The track as if nobody had drawn its keyframes on deleted frames. */
export const withoutDeleted = (track: TrackPiece, deleted: ReadonlySet<number>): TrackPiece => ({
  ...counted(track, deleted),
  elements: track.elements.map((element) => counted(element, deleted)),
});

/** A track in a window, without the keyframes that lie on deleted frames; null where nothing of it is seen. */
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
  };
}

/** A skeleton is seen by its elements. */
export function isVisible(shape: {
  readonly type: ShapeType;
  readonly outside: boolean;
  readonly elements: readonly { readonly outside: boolean }[];
}): boolean {
  return !shape.outside && (shape.type !== 'skeleton' || shape.elements.some((element) => !element.outside));
}
