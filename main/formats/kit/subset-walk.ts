import type { Frame, TaskData } from './task-data.ts';

function listSubsets(task_data: TaskData): { subsets: readonly string[]; isSorted: boolean } {
  const subsets = new Set<string>();
  let isSorted = true;
  let last: string | undefined;
  for (const { subset } of task_data.frames) {
    if (subset === last) continue;
    if (subsets.has(subset)) isSorted = false;
    subsets.add(subset);
    last = subset;
  }
  if (subsets.size === 0) subsets.add(task_data.meta.subset);
  return { subsets: [...subsets], isSorted };
}

function* framesOf(task_data: TaskData, subset: string, isOnly: boolean): Generator<Frame> {
  for (const frame of task_data.group_by_frame(true)) if (isOnly || frame.subset === subset) yield frame;
}

/**
 * Subsets in the order of first occurrence, each with its frames and their objects, for formats with a file per subset.
 * If every subset is contiguous, one pass over the task is enough. Consume the frames of a subset before you request
 * the next subset.
 */
export function* walkSubsets(task_data: TaskData): Generator<readonly [subset: string, frames: Iterable<Frame>]> {
  const { subsets, isSorted } = listSubsets(task_data);
  if (subsets.length === 1 || !isSorted) {
    for (const subset of subsets) yield [subset, framesOf(task_data, subset, subsets.length === 1)];
    return;
  }
  const walk = task_data.group_by_frame(true)[Symbol.iterator]();
  try {
    let next = walk.next();
    const stretch = function* (subset: string): Generator<Frame> {
      for (; !next.done && next.value.subset === subset; next = walk.next()) yield next.value;
    };
    for (const subset of subsets) yield [subset, stretch(subset)];
  } finally {
    walk.return?.();
  }
}
