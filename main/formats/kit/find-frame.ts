import type { FrameInfo, TaskData } from './task-data.ts';

/**
 * Number of the frame for one of an image's names; the first match is used. `near` is the path of the annotation file,
 * which decides between images of the same name.
 */
export function findFrameNumber(
  task_data: Pick<TaskData, 'match_frame'>,
  names: readonly string[],
  subset: string,
  near: string,
): number | null {
  for (const [place, name] of names.entries()) {
    const frame = task_data.match_frame({ name, subset, near, isGuess: place === 0 ? undefined : true });
    if (frame !== null) return frame;
  }
  return null;
}

/** Reports an image without objects, for tasks created from the file. It belongs to the subset that the file states. */
export function declareImage(task_data: TaskData, names: readonly string[], subset: string, near: string): void {
  if (task_data.declare_subset) findFrameNumber(task_data, names, subset, near);
}

export function findFrame(
  task_data: TaskData,
  names: readonly string[],
  subset: string,
  near: string,
): FrameInfo | undefined {
  const frame = findFrameNumber(task_data, names, subset, near);
  return frame === null ? undefined : task_data.frame_info(frame);
}

/** Message for objects whose image is not in the task. */
export const notInTask = (image: string, objects: number, what = 'objects'): string =>
  `image "${image}" is not in the task: its ${objects} ${what} were left out`;

/**
 * Frame number in a file (which counts the source's frames) as a frame of the task, or null if the task does not have
 * it.
 */
export function taskFrame(task_data: TaskData, text: string | undefined): number | null {
  if (text === undefined || !/^\s*\d{1,15}\s*$/.test(text)) return null;
  const frame = (Number(text) - task_data.meta.start_frame) / task_data.meta.frame_step;
  return task_data.frame_info(frame) ? frame : null;
}

/** Number of a task's frame in the source, as files state it. */
export function sourceFrame(
  meta: { readonly start_frame: number; readonly frame_step: number },
  frame: number,
): number {
  return meta.start_frame + frame * meta.frame_step;
}
