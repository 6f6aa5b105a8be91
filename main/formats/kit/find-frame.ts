import type { FrameInfo, TaskData } from './task-data.ts';

/** Number of the frame that one of an image's names means; the first name that fits wins. */
export function findFrameNumber(
  task_data: Pick<TaskData, 'match_frame'>,
  names: readonly string[],
  subset: string,
): number | null {
  for (const [place, name] of names.entries()) {
    const frame = task_data.match_frame(place === 0 ? { name, subset } : { name, subset, isGuess: true });
    if (frame !== null) return frame;
  }
  return null;
}

/** The frame that one of an image's names means. */
export function findFrame(task_data: TaskData, names: readonly string[], subset: string): FrameInfo | undefined {
  const frame = findFrameNumber(task_data, names, subset);
  return frame === null ? undefined : task_data.frame_info(frame);
}
