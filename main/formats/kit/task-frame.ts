import type { TaskData } from './task-data.ts';

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
