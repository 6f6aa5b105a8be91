import type { FrameCount, FrameSelection } from '../../../preload/contract/schema/frames.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { withWorkerContext, type WorkerPaths } from '../bulk-writer/worker-context.ts';
import { openParts, type DatasetTarget } from '../annotation-reader/stored-view.ts';
import { framesOfList } from '../export-options/frame-list.ts';

export interface SelectFramesJob extends WorkerPaths {
  readonly target: DatasetTarget & { readonly kind: 'task' | 'job' };
  readonly selection: FrameSelection;
}

export interface SelectedFrames extends FrameCount {
  /** Frame numbers in the task, ascending. */
  readonly frames: readonly number[];
}

/**
 * Finds the frames of a selection. Runs in a worker thread, because tracks are interpolated to find where they are
 * visible.
 */
export function selectFrames({ target, selection, ...paths }: SelectFramesJob, run: JobRun): Promise<SelectedFrames> {
  return withWorkerContext(paths, run, (context) => {
    const { frames: list, every, annotated } = selection;
    const [part] = openParts(context, target, annotated ? 'annotated' : undefined).parts;
    if (!part) return { frames: [], count: 0, total: 0, deleted: 0 };
    const { reader } = part;
    const listed = framesOfList(list, reader, every);
    const present = listed.filter((frame) => !reader.isDeleted(frame));
    const frames = reader.chosen ? present.filter((frame) => reader.chosen?.has(frame)) : present;
    return { frames, count: frames.length, total: reader.wholeCount, deleted: listed.length - present.length };
  });
}
