import type { FrameInfo } from '../kit/task-data.ts';

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
