import type { FrameInfo, TaskData } from './task-data.ts';

/**
 * Number of the frame that one of an image's names means; the first name that fits wins. `near` is the path of the
 * annotation file: it decides between images of the same name.
 */
export function findFrameNumber(
  task_data: Pick<TaskData, 'match_frame'>,
  names: readonly string[],
  subset: string,
  near: string,
): number | null {
  for (const [place, name] of names.entries()) {
    const frame = task_data.match_frame({ name, subset, near, ...(place === 0 ? {} : { isGuess: true }) });
    if (frame !== null) return frame;
  }
  return null;
}

/**
 * Tells an image without objects where tasks are made of the file: it belongs to the subset that the file names for it.
 */
export function declareImage(task_data: TaskData, names: readonly string[], subset: string, near: string): void {
  if (task_data.declare_subset) findFrameNumber(task_data, names, subset, near);
}

/** The frame that one of an image's names means. */
export function findFrame(
  task_data: TaskData,
  names: readonly string[],
  subset: string,
  near: string,
): FrameInfo | undefined {
  const frame = findFrameNumber(task_data, names, subset, near);
  return frame === null ? undefined : task_data.frame_info(frame);
}

/** What is said of objects whose image the task does not have. */
export const notInTask = (image: string, objects: number, what = 'objects'): string =>
  `image "${image}" is not in the task: its ${objects} ${what} were left out`;

/** Frame number of a file, which counts the source's frames, as the task's own, or null when the task has no such frame. */
export function taskFrame(task_data: TaskData, text: string | undefined): number | null {
  if (text === undefined || !/^\s*\d{1,15}\s*$/.test(text)) return null;
  const frame = (Number(text) - task_data.meta.start_frame) / task_data.meta.frame_step;
  return task_data.frame_info(frame) ? frame : null;
}

/** The source's number of a task's frame, as files state it. */
export function sourceFrame(
  meta: { readonly start_frame: number; readonly frame_step: number },
  frame: number,
): number {
  return meta.start_frame + frame * meta.frame_step;
}
