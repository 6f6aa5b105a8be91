import { withoutExtension } from './dataset-items.ts';
import type { FormatReport } from './report.ts';
import type { FrameInfo, LabeledShape, TaskData, TrackedShape } from './task-data.ts';

/** Common numbers of digits in zero-padded frame numbers. */
const paddings = [6, 0, 4, 5, 8];

/** The number in an image's name, or undefined. */
function numberOfName(name: string): number | undefined {
  const stem = withoutExtension(name);
  const base = stem.slice(stem.lastIndexOf('/') + 1);
  return /^\d{1,15}$/.test(base) ? Number(base) : undefined;
}

/** Number of the first frame. Jobs start at their part of the task. */
function firstFrameOf({ meta }: TaskData): number {
  return meta.kind === 'job' ? (meta.segments[0]?.start ?? 0) : 0;
}

/** Finds the frame whose image is named by the number; `folders` are the dataset's image folders. */
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

/** Frames by position from 0. In a project, positions continue from task to task. */
function createOrderedFrames(task_data: TaskData): (place: number) => FrameInfo | undefined {
  const first = firstFrameOf(task_data);
  if (task_data.meta.kind !== 'project') return (place) => task_data.frame_info(first + place);
  const frames = [...task_data.frames];
  return (place) => (frames.length > 0 ? frames[place] : task_data.frame_info(place));
}

export type FrameMatching = 'auto' | 'name' | 'order';

export interface NumberedFramesOptions {
  readonly matching: FrameMatching;
  /** The file's number of the first frame. Undefined: 0 if the file has a 0, else 1. */
  readonly firstFrame: number | undefined;
  readonly numbers: ReadonlySet<number>;
  readonly folders: readonly string[];
  readonly report: Pick<FormatReport, 'warn'>;
}

/**
 * Finds the frame for a number of the file: by image name if images are named by numbers, else by position in the task.
 * The way that matches more of the file's numbers is used.
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
  // One stray row of frame 0 would shift all others by one.
  if (firstFrame !== undefined || !numbers.has(0) || named < all.length - 1) return byOrder;
  report.warn(
    'The file has a frame 0, but the images have numbers from 1: frames were matched by image name. To count from 0 instead, set frame_matching to "order".',
  );
  return byName;
}

/**
 * Frame numbers for export: those in the image names if they are unique, else counted from `start`. In a project, they
 * continue from task to task.
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

/** Track numbers in the order of occurrence; -1 for a shape without a track. */
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
 * Reports the tracks in a format without keyframes. A track of which no shape is exported is reported as dropped.
 * Returns the number of tracks.
 */
export function reportTracks(
  task_data: TaskData,
  report: FormatReport,
  {
    format,
    isIncluded = ({ type }) => type === 'rectangle',
    lacks = `${format} has boxes only.`,
  }: {
    readonly format: string;
    readonly isIncluded?: (shape: TrackedShape) => boolean;
    readonly lacks?: string;
  },
): number {
  let count = 0;
  for (const { label, shapes } of task_data.tracks) {
    count += 1;
    if (shapes.some((shape) => isIncluded(shape))) report.included('track', label);
    else report.dropped('track', label, lacks);
  }
  if (count > 0) report.warn(`${format} has no keyframes: every frame on which a track is visible becomes one.`);
  return count;
}
