import { fitToFrame } from '../../preload/geometry/frame-fit.ts';
import { boxHeight, boxWidth } from './geometry/box.ts';
import { boundsOf, movedInside, withGeometry } from './shapes/shape-behaviours.ts';
import { editTrack, sameNumbers, type IsMutable } from './tracks/keyframe-edit.ts';
import type {
  CommandKind,
  ElementRecord,
  ObjectRecord,
  RecordChange,
  ShapeRecord,
  Size,
  TrackRecord,
} from './types.ts';

export interface FrameSizes {
  /** Undefined if unknown; such a frame accepts everything. */
  sizeOf(frame: number): Size | undefined;
  /** All frames if their images differ in size; empty if one size applies to all. */
  readonly differing: readonly number[];
}

interface GuardParts {
  readonly frames: FrameSizes;
  readonly shown: (track: TrackRecord, frame: number) => ShapeRecord | null;
  readonly isMutable: IsMutable;
}

interface Guarded {
  readonly changes: readonly RecordChange[];
  /** Number of objects cut at the image border or moved into the image. */
  readonly fitted: number;
  /** Number of objects dropped because they are outside their image. */
  readonly left: number;
  readonly frames: number;
}

/** Gestures on the image itself: the back of a cuboid or a corner of a rotated box may exceed it. */
const byHand: readonly CommandKind[] = ['create', 'move', 'resize', 'rotate', 'vertex'];
/** Maximum number of rounds, because added keyframes change earlier frames. */
const mostRounds = 4;

const isShape = (record: ObjectRecord | null): record is ShapeRecord => record?.kind === 'shape';
const isTrack = (record: ObjectRecord | null): record is TrackRecord => record?.kind === 'track';

const sameElements = (a: readonly ElementRecord[] = [], b: readonly ElementRecord[] = []): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every((one, index) => one.outside === b[index]?.outside && sameNumbers(one.points, b[index]?.points ?? [])));

const samePlace = (a: ShapeRecord, b: ShapeRecord): boolean =>
  a.outside === b.outside &&
  a.rotation === b.rotation &&
  sameNumbers(a.points, b.points) &&
  sameElements(a.elements, b.elements);

/** Moves the shape into the image; null if it is larger. */
function wholeInside(shape: ShapeRecord, size: Size): ShapeRecord | null {
  const box = boundsOf(shape);
  if (boxWidth(box) > size.width || boxHeight(box) > size.height) return null;
  return movedInside([shape], size)[0] ?? null;
}

/** The shape fitted into an image, unchanged if it fits; null if it is outside. */
function fitShape(shape: ShapeRecord, size: Size | undefined, mayReach: boolean): ShapeRecord | null {
  if (size === undefined || shape.outside) return shape;
  const { fit, points, elements } = fitToFrame<ElementRecord>(shape, size);
  if (fit === 'outside') return null;
  if (fit === 'reaches') return mayReach ? shape : wholeInside(shape, size);
  if (points === shape.points && elements === undefined) return shape;
  return withGeometry(shape, { points, ...(elements === undefined ? {} : { elements }) });
}

/**
 * Keeps new objects inside the image: exceeding parts are cut or moved inside, objects outside are dropped. Objects
 * that already exceeded it, such as imported ones, stay editable.
 */
export function createFrameGuard({ frames, shown, isMutable }: GuardParts) {
  const { sizeOf } = frames;
  const isMisfit = (record: ObjectRecord | null): boolean =>
    isShape(record) && fitShape(record, sizeOf(record.frame), true) !== record;

  /** Adds keyframes where a track would not fit and where it fits again. Null if it is visible nowhere. */
  function fitTrack(track: TrackRecord, before: TrackRecord | null): { after: TrackRecord | null; frames: number } {
    const seen = track.keyframes.map(({ frame }) => frame);
    const { differing } = frames;
    const places = differing.length > 0 ? differing : seen;
    const wanted = new Map<number, ShapeRecord>();
    let count = 0;
    for (const frame of places) {
      const shape = shown(track, frame);
      if (shape === null) continue;
      const was = before === null ? null : shown(before, frame);
      const isOld = was !== null && samePlace(was, shape);
      const fit = isOld && differing.length === 0 ? shape : fitShape(shape, sizeOf(frame), isOld);
      if (fit !== shape) count += 1;
      wanted.set(frame, fit ?? { ...shape, outside: true });
    }
    if (count === 0) return { after: track, frames: 0 };
    if ([...wanted.values()].every(({ outside }) => outside)) return { after: null, frames: count };
    let after = track;
    for (let round = 0; round < mostRounds; round += 1) {
      const begun = after;
      for (const [frame, shape] of wanted) {
        const now = shown(after, frame);
        if (now !== null && !samePlace(now, shape)) after = editTrack(after, now, shape, isMutable);
      }
      if (after === begun) break;
    }
    return { after, frames: count };
  }

  return (kind: CommandKind, given: readonly RecordChange[]): Guarded => {
    const mayReach = byHand.includes(kind);
    // Source shapes of a derived shape may already have been outside.
    const loose = new Set(
      given.flatMap(({ before, after }) => (after === null && isMisfit(before) ? before?.frame : [])),
    );
    let [fitted, left, framesCut] = [0, 0, 0];
    const changes = given.flatMap((change): RecordChange[] => {
      const { before, after } = change;
      if (isTrack(after)) {
        const track = fitTrack(after, isTrack(before) ? before : null);
        framesCut += track.frames;
        if (track.after === after) return [change];
        if (track.after === null) left += 1;
        return track.after === null ? [] : [{ ...change, after: track.after }];
      }
      if (!isShape(after) || loose.has(after.frame)) return [change];
      if (isShape(before) && (samePlace(before, after) || isMisfit(before))) return [change];
      const shape = fitShape(after, sizeOf(after.frame), mayReach);
      if (shape === after) return [change];
      if (shape === null) left += 1;
      else fitted += 1;
      return shape === null ? [] : [{ ...change, after: shape }];
    });
    return { changes, fitted, left, frames: framesCut };
  };
}
