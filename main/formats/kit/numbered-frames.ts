import { withoutExtension } from './dataset-items.ts';
import type { FormatReport } from './report.ts';
import type { FrameInfo, LabeledShape, TaskData, TrackedShape } from './task-data.ts';

/** Numbers of frames in files have no more digits with zeros in front than these. */
const paddings = [6, 0, 4, 5, 8];

/** The number that an image is called by, or undefined. */
function numberOfName(name: string): number | undefined {
  const stem = withoutExtension(name);
  const base = stem.slice(stem.lastIndexOf('/') + 1);
  return /^\d{1,15}$/.test(base) ? Number(base) : undefined;
}

/** The first frame's number: jobs begin where their part of the task does. */
function firstFrameOf({ meta }: TaskData): number {
  return meta.kind === 'job' ? (meta.segments[0]?.start ?? 0) : 0;
}

/** The frame whose image is called by the number; `folders` are those in which the data set has its images. */
export function createNumberedImages(
  task_data: TaskData,
  folders: readonly string[],
): (number: number) => FrameInfo | undefined {
  return (number) => {
    const names = folders.flatMap((folder) =>
      paddings.map((digits) => `${folder}${String(number).padStart(digits, '0')}.jpg`),
    );
    const { subset } = task_data.meta;
    for (const name of new Set(names)) {
      const match = task_data.match_frame({ name, subset, isGuess: true });
      const frame = match === null ? undefined : task_data.frame_info(match);
      if (frame) return numberOfName(frame.name) === number ? frame : undefined;
    }
    return undefined;
  };
}

/** The frames in their order, counted from 0: those of a project run through all of its tasks. */
function createOrderedFrames(task_data: TaskData): (place: number) => FrameInfo | undefined {
  const first = firstFrameOf(task_data);
  if (task_data.meta.kind !== 'project') return (place) => task_data.frame_info(first + place);
  const frames = [...task_data.frames];
  return (place) => (frames.length > 0 ? frames[place] : task_data.frame_info(place));
}

export type FrameMatching = 'auto' | 'name' | 'order';

export interface NumberedFramesOptions {
  readonly matching: FrameMatching;
  /** The file's number of the first frame; undefined: 0 where the file has a 0, else 1. */
  readonly firstFrame: number | undefined;
  /** All numbers of the file. */
  readonly numbers: ReadonlySet<number>;
  readonly folders: readonly string[];
  readonly report: Pick<FormatReport, 'warn'>;
}

/**
 * Tells which frame a number of the file means. Images that are called by numbers are known by them, and others by
 * their place in the task; which of the two it is shows in what more numbers of the file fit.
 */
export function createNumberedFrames(
  task_data: TaskData,
  { matching, firstFrame, numbers, folders, report }: NumberedFramesOptions,
): (number: number) => FrameInfo | undefined {
  const byName = createNumberedImages(task_data, folders);
  const ordered = createOrderedFrames(task_data);
  const first = firstFrame ?? (numbers.has(0) ? 0 : 1);
  const byOrder = (number: number): FrameInfo | undefined => (number < first ? undefined : ordered(number - first));
  if (matching !== 'auto') return matching === 'name' ? byName : byOrder;
  const all = [...numbers];
  const named = all.filter((number) => byName(number)).length;
  if (named === 0) return byOrder;
  if (named >= all.filter((number) => byOrder(number)).length) return byName;
  // A stray row of frame 0 would move all others by one.
  if (firstFrame !== undefined || !numbers.has(0) || named < all.length - 1) return byOrder;
  report.warn(
    'The file has a frame 0, and the images are called by numbers from 1: frames were found by the names of the images. Choose frame_matching "order" to count from 0 instead.',
  );
  return byName;
}

/**
 * Numbers of frames to be written: the images' own, where every image is called by another number; else counted from
 * `start`. Those of a project are counted through all of its tasks.
 */
export function createFrameNumbers(task_data: TaskData, start: 0 | 1): (frame: FrameInfo) => number {
  const seen = new Set<number>();
  let areNumbers = true;
  for (const { name } of task_data.frames) {
    const number = numberOfName(name);
    if (number === undefined || seen.has(number)) {
      areNumbers = false;
      break;
    }
    seen.add(number);
  }
  const first = firstFrameOf(task_data);
  let count = 0;
  return (frame) => {
    const place = task_data.meta.kind === 'project' ? count : frame.frame - first;
    count += 1;
    return (areNumbers ? numberOfName(frame.name) : undefined) ?? place + start;
  };
}

/** Numbers of tracks, in the order in which they are seen; -1 for a shape of no track. */
export function createTrackNumbers(start: 0 | 1): (shape: LabeledShape) => number {
  const numbers = new Map<string, number>();
  return ({ track_id: trackId, task_id: taskId }) => {
    if (trackId === undefined) return -1;
    const key = `${taskId ?? ''} ${trackId}`;
    const number = numbers.get(key) ?? numbers.size + start;
    numbers.set(key, number);
    return number;
  };
}

/**
 * Tells what becomes of the tracks in a format without keyframes: of those that have no shape which it carries, why they
 * are left out. How many there are.
 */
export function reportTracks(
  task_data: TaskData,
  report: FormatReport,
  {
    format,
    isCarried = ({ type }) => type === 'rectangle',
    lacks = `${format} has boxes only.`,
  }: {
    readonly format: string;
    readonly isCarried?: (shape: TrackedShape) => boolean;
    readonly lacks?: string;
  },
): number {
  let count = 0;
  for (const { label, shapes } of task_data.tracks) {
    count += 1;
    if (shapes.some((shape) => isCarried(shape))) report.carried('track', label);
    else report.lost('track', label, lacks);
  }
  if (count > 0) report.warn(`${format} has no keyframes: every frame on which a track is seen becomes one.`);
  return count;
}
