import type { FrameInfo, TaskData } from './task-data.ts';

/** The frame that one of an image's names means; the first name that fits wins. */
export function findFrame(task_data: TaskData, names: readonly string[], subset: string): FrameInfo | undefined {
  for (const name of names) {
    const frame = task_data.match_frame({ name, subset });
    if (frame !== null) return task_data.frame_info(frame);
  }
  return undefined;
}
