import {
  type Keyframe,
  interpolateTrack,
  InterpolationError,
  type TrackShape,
} from '../../../preload/contract/interpolation.ts';
import { createAttributeNumbers } from '../flatten-track.ts';
import type { FrameInfo, Track, TrackedShape } from '../task-data.ts';

/** A track's shape on one frame, as files in video mode have it. */
export interface VideoShape extends TrackedShape {
  readonly elements: readonly (TrackedShape & { readonly label: string })[];
}

/** The frames of one task. */
export interface FrameRange {
  readonly first: FrameInfo;
  readonly last: number;
  readonly deleted: ReadonlySet<number>;
}

/** The frames of every task by the task's id; numbers missing between first and last are deleted frames. */
export function frameRanges(frames: Iterable<FrameInfo>): ReadonlyMap<number, FrameRange> {
  const ranges = new Map<number, { first: FrameInfo; last: number; deleted: Set<number> }>();
  for (const frame of frames) {
    const range = ranges.get(frame.task_id);
    if (!range) {
      ranges.set(frame.task_id, { first: frame, last: frame.frame, deleted: new Set() });
      continue;
    }
    for (let missing = range.last + 1; missing < frame.frame; missing += 1) range.deleted.add(missing);
    range.last = frame.frame;
  }
  return ranges;
}

type AttributeNumbers = ReturnType<typeof createAttributeNumbers>;

function keyframesOf(track: Track, numbers: AttributeNumbers): { frame: number; label_id: number; shapes: Keyframe[] } {
  const immutable = numbers.toNumbers(track.attributes ?? []);
  const shapes = track.shapes.map((shape) => ({
    ...shape,
    rotation: shape.rotation ?? 0,
    attributes: [...immutable, ...numbers.toNumbers(shape.attributes)],
  }));
  return { frame: shapes.reduce((first, { frame }) => Math.min(first, frame), Infinity), label_id: 0, shapes };
}

function toTracked(shape: TrackShape, numbers: AttributeNumbers): TrackedShape {
  return { ...shape, attributes: numbers.toNames(shape.attributes) };
}

function isVisible(shape: VideoShape): boolean {
  return !shape.outside && (shape.type !== 'skeleton' || shape.elements.some(({ outside }) => !outside));
}

/** Only the keyframes behind a frame: for tracks that have nothing between them. */
function* keyframesAfter(track: Track, frame: number): Generator<VideoShape> {
  const immutable = track.attributes ?? [];
  for (const shape of track.shapes.toSorted((a, b) => a.frame - b.frame))
    if (shape.frame > frame)
      yield { ...shape, attributes: [...immutable, ...shape.attributes], keyframe: true, elements: [] };
}

/**
 * The shapes of a track on every frame where it is visible, and its keyframes where it is not. Where a skeleton is
 * outside its elements are too. `onProblem` is told when there is nothing between the keyframes (masks, mixed types).
 */
export function* trackFrames(
  track: Track,
  range: FrameRange,
  onProblem: (reason: string) => void,
): Generator<VideoShape> {
  if (track.shapes.length === 0) return;
  const numbers = createAttributeNumbers();
  const elements = (track.elements ?? []).filter(({ shapes }) => shapes.length > 0);
  const keyframed = {
    ...keyframesOf(track, numbers),
    elements: elements.map((element) => keyframesOf(element, numbers)),
  };
  const shapes = interpolateTrack(keyframed, 0, range.last + 1, { includeOutside: true, deletedFrames: range.deleted });
  let done = -1;
  try {
    for (const shape of shapes) {
      done = shape.frame;
      const whole: VideoShape = {
        ...toTracked(shape, numbers),
        elements: shape.elements.map((element) => ({
          ...toTracked(element, numbers),
          label: elements[element.elementIndex]?.label ?? '',
          outside: element.outside || shape.outside,
        })),
      };
      if (isVisible(whole) || whole.keyframe || whole.elements.some(({ keyframe }) => keyframe)) yield whole;
    }
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error;
    onProblem(error.message);
    yield* keyframesAfter(track, done);
  }
}
