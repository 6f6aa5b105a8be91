import { createPolygonBlend, createPolylineBlend } from './polyline-matching.ts';
import { shapeKinds, type ShapeType } from '../contract/annotation-names.ts';
import type { AttributeValue, TrackedShape } from '../contract/schema/annotations.ts';

/**
 * Tracks store only keyframes. This computes the shapes between them as CVAT 2.73's server does, with one deliberate
 * difference: keyframes rotated by exactly 180° against each other are 180° apart, as in CVAT's client; the server
 * rotates by 1°.
 */
export interface Keyframe {
  readonly frame: number;
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly rotation: number;
  readonly outside: boolean;
  readonly occluded: boolean;
  readonly z_order: number;
  readonly attributes: readonly AttributeValue[];
}

/** Fields of a skeleton track's element that interpolation reads. */
export interface KeyframedElement {
  readonly id?: number | undefined;
  readonly frame: number;
  readonly label_id: number;
  readonly shapes: readonly Keyframe[];
}

/** Fields of a track that interpolation reads; `Track` and `SubTrack` of the schema are compatible. */
export interface KeyframedTrack extends KeyframedElement {
  readonly elements?: readonly KeyframedElement[];
}

export interface TrackShape extends Keyframe {
  readonly points: number[];
  readonly attributes: AttributeValue[];
  /** True if the shape is stored, false if it is computed. */
  readonly keyframe: boolean;
}

interface ElementShape extends TrackShape {
  readonly label_id: number;
  /** Index of the element in `track.elements`. */
  readonly elementIndex: number;
}

export interface InterpolatedShape extends TrackShape {
  /** For skeletons: the elements present on this frame, in the order of `track.elements`. */
  readonly elements: readonly ElementShape[];
}

export interface InterpolationOptions {
  /** '3d' reads cuboid points 3..5 as angles in radians. */
  readonly dimension?: '2d' | '3d';
  /** Also yields computed shapes that are outside. Keyframes are always yielded. */
  readonly includeOutside?: boolean;
  readonly includedFrames?: ReadonlySet<number>;
  /** Frames whose keyframes are ignored and on which nothing is yielded. */
  readonly deletedFrames?: ReadonlySet<number>;
  /**
   * Without an interpolation (masks, a change of type) the earlier keyframe holds, and of two keyframes on one frame
   * the first is used, instead of an InterpolationError.
   */
  readonly hold?: boolean;
}

/** Thrown for a track that cannot be interpolated: mixed types, masks, or two keyframes on one frame. */
export class InterpolationError extends Error {
  readonly frame: number;

  constructor(message: string, frame: number) {
    super(message);
    this.name = 'InterpolationError';
    this.frame = frame;
  }
}

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

const sameAttributes = (a: readonly AttributeValue[], b: readonly AttributeValue[]): boolean =>
  a.length === b.length &&
  a.every((value, index) => value.spec_id === b[index]?.spec_id && value.value === b[index].value);

const isSameKeyframe = (a: Keyframe, b: Keyframe): boolean =>
  a.type === b.type &&
  a.rotation === b.rotation &&
  a.outside === b.outside &&
  a.occluded === b.occluded &&
  a.z_order === b.z_order &&
  sameNumbers(a.points, b.points) &&
  sameAttributes(a.attributes, b.attributes);

function inheritAttributes(shape: Keyframe, before: Keyframe | undefined): readonly AttributeValue[] {
  const missing = before?.attributes.filter(
    ({ spec_id }) => !shape.attributes.some((attribute) => attribute.spec_id === spec_id),
  );
  return missing === undefined || missing.length === 0 ? shape.attributes : [...shape.attributes, ...missing];
}

const copyOf = (shape: Keyframe, frame: number, keyframe: boolean): TrackShape => ({
  frame,
  type: shape.type,
  points: [...shape.points],
  rotation: shape.rotation,
  outside: shape.outside,
  occluded: shape.occluded,
  z_order: shape.z_order,
  attributes: shape.attributes.map((attribute) => ({ ...attribute })),
  keyframe,
});

/** Keyframes in use, by ascending frame, with inherited attributes. Throws InterpolationError on a conflict. */
function preparedKeyframes(
  shapes: readonly Keyframe[],
  { deletedFrames, hold = false }: InterpolationOptions,
): TrackShape[] {
  const prepared: TrackShape[] = [];
  let before: Keyframe | undefined;
  for (const shape of shapes.toSorted((a, b) => a.frame - b.frame)) {
    if (deletedFrames?.has(shape.frame) === true) continue;
    if (before?.frame === shape.frame) {
      if (hold) continue;
      const inherited = { ...shape, attributes: inheritAttributes(shape, before) };
      if (isSameKeyframe(shape, before) || isSameKeyframe(inherited, prepared.at(-1)!)) continue;
      throw new InterpolationError(`The track has two different keyframes on frame ${shape.frame}.`, shape.frame);
    }
    const last = prepared.at(-1);
    prepared.push(copyOf({ ...shape, attributes: inheritAttributes(shape, last) }, shape.frame, true));
    before = shape;
  }
  return prepared;
}

/** Smallest rotation in degrees from one angle to another, in (−180, 180]. */
function shortestTurn(from: number, to: number, full: number): number {
  const turn = (((to - from) % full) + full) % full;
  return turn > full / 2 ? turn - full : turn;
}

const linear = (left: readonly number[], right: readonly number[], share: number): number[] =>
  left.map((value, index) => value + ((right[index] ?? value) - value) * share);

function turnedCuboid(left: readonly number[], right: readonly number[], share: number): number[] {
  const full = 2 * Math.PI;
  return linear(left, right, share).map((value, index) => {
    if (index < 3 || index > 5) return value;
    const angle = left[index]! + shortestTurn(left[index]!, right[index] ?? left[index]!, full) * share;
    const wrapped = ((angle % full) + full) % full;
    return wrapped > Math.PI ? wrapped - full : wrapped;
  });
}

/** Interpolates the points between two keyframes of one type, as a function of the share of the way. */
function createPointsBlend(left: Keyframe, right: Keyframe, dimension: '2d' | '3d'): (share: number) => number[] {
  if (left.type !== right.type) {
    throw new InterpolationError(
      `The track changes from ${left.type} to ${right.type} on frame ${right.frame}.`,
      right.frame,
    );
  }
  const from = left.points;
  const to = right.points;
  switch (left.type) {
    case 'points':
      return from.length === 2 && to.length === 2 ? (share) => linear(from, to, share) : () => [...from];
    case 'polyline':
    case 'polygon': {
      if (from.length < 2 || to.length < 2) return () => [...from];
      const blend = left.type === 'polygon' ? createPolygonBlend(from, to) : createPolylineBlend(from, to);
      return (share) => blend.at(share);
    }
    case 'skeleton':
      return () => [];
    case 'mask':
      throw new InterpolationError('Masks of a track cannot be interpolated.', right.frame);
    default: {
      const isTurned = left.type === 'cuboid' && dimension === '3d';
      return (share) => (isTurned ? turnedCuboid : linear)(from, to, share);
    }
  }
}

const turnsWithKeyframes = (type: ShapeType): boolean => (shapeKinds[type].exactly ?? 0) > 0;

/** Shapes strictly between two keyframes. Occluded, outside, z order and attributes are those of the left one. */
function createBlend(left: Keyframe, right: Keyframe, dimension: '2d' | '3d'): (frame: number) => TrackShape {
  const pointsAt = createPointsBlend(left, right, dimension);
  const turn = turnsWithKeyframes(left.type) ? shortestTurn(left.rotation, right.rotation, 360) : 0;
  return (frame) => {
    const share = (frame - left.frame) / (right.frame - left.frame);
    const rotation = turn === 0 ? left.rotation : (left.rotation + turn * share + 360) % 360;
    return { ...copyOf({ ...left, points: [] }, frame, false), points: pointsAt(share), rotation };
  };
}

const hasNothingBetween = (left: Keyframe, right: Keyframe): boolean =>
  left.type === 'mask' || left.type !== right.type;

/** All shapes of one track or element in [start, end), without the filters for frames and visibility. */
function* driveTrack(
  keyframes: readonly TrackShape[],
  start: number,
  end: number,
  { includeOutside = false, dimension = '2d', hold = false }: InterpolationOptions,
): Generator<TrackShape> {
  for (let index = 0; index < keyframes.length; index += 1) {
    const left = keyframes[index]!;
    if (left.frame >= end) return;
    if (left.frame >= start) yield left;
    const right = keyframes[index + 1];
    if (left.outside && !includeOutside) continue;
    const stop = Math.min(end, right?.frame ?? end);
    const first = Math.max(start, left.frame + 1);
    // Created on demand, because masks with a keyframe on every frame are a valid track.
    const holds = right === undefined || first >= stop || (hold && hasNothingBetween(left, right));
    const blend = holds ? null : createBlend(left, right, dimension);
    for (let frame = first; frame < stop; frame += 1) {
      yield blend === null ? copyOf(left, frame, false) : blend(frame);
    }
  }
}

/**
 * Yields the shapes of a track on startFrame ≤ frame < endFrame, by ascending frame. A skeleton includes its elements,
 * and is left out on frames where all of them are outside. Throws InterpolationError for tracks that cannot be
 * interpolated.
 */
export function* interpolateTrack(
  track: KeyframedTrack,
  startFrame: number,
  endFrame: number,
  options: InterpolationOptions = {},
): Generator<InterpolatedShape> {
  const { includeOutside = false, includedFrames, deletedFrames } = options;
  const start = Math.max(startFrame, track.frame);
  const isWanted = (frame: number): boolean =>
    deletedFrames?.has(frame) !== true && (includedFrames === undefined || includedFrames.has(frame));
  const elements = (track.elements ?? []).map((element, elementIndex) => {
    const from = Math.max(startFrame, element.frame);
    const own = { ...options, includeOutside: true };
    const shapes = driveTrack(preparedKeyframes(element.shapes, options), from, endFrame, own);
    return { label_id: element.label_id, elementIndex, shapes, current: shapes.next() };
  });
  for (const shape of driveTrack(preparedKeyframes(track.shapes, options), start, endFrame, options)) {
    if (!isWanted(shape.frame)) continue;
    const elementShapes: ElementShape[] = [];
    for (const element of elements) {
      while (element.current.done !== true && element.current.value.frame < shape.frame) {
        element.current = element.shapes.next();
      }
      if (element.current.done === true || element.current.value.frame !== shape.frame) continue;
      const { label_id, elementIndex } = element;
      elementShapes.push({ ...element.current.value, label_id, elementIndex });
    }
    const isHidden = elements.length > 0 && elementShapes.every((element) => element.outside);
    if (isHidden && !includeOutside) continue;
    yield { ...shape, elements: elementShapes };
  }
}

/** Index of the last keyframe on or before a frame; −1 without one. */
function placeAt(keyframes: readonly Keyframe[], frame: number): number {
  let [low, high] = [0, keyframes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyframes[middle]!.frame <= frame) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Reads shapes as the canvas shows them: before the first keyframe the first one, outside; masks hold until the next
 * keyframe.
 */
function createPartReader(
  shapes: readonly Keyframe[],
  options: InterpolationOptions,
): (frame: number) => TrackShape | null {
  const keyframes = preparedKeyframes(shapes, { ...options, hold: true });
  let blended: { readonly place: number; readonly at: (frame: number) => TrackShape } | undefined;
  return (frame) => {
    const place = placeAt(keyframes, frame);
    const left = keyframes[place];
    const right = keyframes[place + 1];
    if (left === undefined) return right === undefined ? null : { ...copyOf(right, frame, false), outside: true };
    if (left.frame === frame) return copyOf(left, frame, true);
    if (right === undefined || hasNothingBetween(left, right)) return copyOf(left, frame, false);
    if (blended?.place !== place) blended = { place, at: createBlend(left, right, options.dimension ?? '2d') };
    return blended.at(frame);
  };
}

/** Same as `trackShapeAtFrame` for many frames: sorts the keyframes once. */
export function createTrackShapeReader(
  track: Pick<KeyframedElement, 'shapes'>,
  options: InterpolationOptions = {},
): (frame: number) => TrackedShape | null {
  const at = createPartReader(track.shapes, options);
  return (frame) => {
    const shape = at(frame);
    if (shape === null) return null;
    const { keyframe: _, ...stored } = shape;
    return stored;
  };
}

/** Shape of a plain track or of one element on one frame, without elements; otherwise as `shapeAtFrame`. */
export const trackShapeAtFrame = (
  track: Pick<KeyframedElement, 'shapes'>,
  frame: number,
  options: InterpolationOptions = {},
): TrackedShape | null => createTrackShapeReader(track, options)(frame);

/** Same as `shapeAtFrame` for many frames of one track: sorts the keyframes once, then needs one search per frame. */
export function createTrackReader(
  track: KeyframedTrack,
  options: InterpolationOptions = {},
): (frame: number) => InterpolatedShape | null {
  const own = createPartReader(track.shapes, options);
  const parts = (track.elements ?? []).map(({ label_id, shapes }) => ({
    label_id,
    at: createPartReader(shapes, options),
  }));
  return (frame) => {
    const shape = own(frame);
    if (shape === null) return null;
    const elements = parts.flatMap(({ label_id, at }, elementIndex): ElementShape[] => {
      const shown = at(frame);
      return shown === null ? [] : [{ ...shown, label_id, elementIndex }];
    });
    return { ...shape, elements };
  };
}

/**
 * Shape of a track on one frame, outside or not; null only for a track without keyframes. Never throws, unlike the
 * range: without an interpolation (masks, a change of type) the earlier keyframe holds.
 */
export const shapeAtFrame = (
  track: KeyframedTrack,
  frame: number,
  options: InterpolationOptions = {},
): InterpolatedShape | null => createTrackReader(track, options)(frame);
