import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { breakChannel, type ChannelEnd } from '../bulk-writer/batch-channel.ts';
import { sendShapes } from './shape-stream.ts';
import { beginAsHelper, type Meeting } from './shared-snapshot.ts';
import { countsInTask } from '../../work/jobs/job-rules.ts';
import type { DatasetTarget } from '../annotation-reader/stored-view.ts';
import { withWorkerContext, type WorkerContext, type WorkerPaths } from '../bulk-writer/worker-context.ts';

/** Shared memory of an export and the thread that reads for it. */
export interface ExportHelp extends ChannelEnd {
  readonly meeting: Meeting;
}

export interface ReadShapesJob extends WorkerPaths {
  readonly target: DatasetTarget;
  readonly help: ExportHelp;
}

/**
 * Jobs in the order in which an export requests their shapes. Tasks with overlapping jobs are excluded: the export
 * reads them itself.
 */
function* jobsInOrder({ tasks, jobs }: WorkerContext, target: DatasetTarget): Generator<number> {
  if (target.kind === 'job') {
    yield target.id;
    return;
  }
  for (const taskId of target.kind === 'task' ? [target.id] : tasks.idsOfProject(target.id)) {
    const ordered = jobs
      .ofTask(taskId)
      .filter(countsInTask)
      .toSorted((a, b) => a.start_frame - b.start_frame);
    const overlaps = ordered.some((job, index) => (ordered[index - 1]?.stop_frame ?? -1) >= job.start_frame);
    if (!overlaps) for (const job of ordered) yield job.id;
  }
}

/**
 * Reads the shapes of an export in a second thread from the same snapshot, because fetching rows takes half of an
 * export's time.
 */
export function readShapes({ target, help, ...paths }: ReadShapesJob, run: JobRun): Promise<void> {
  return withWorkerContext(paths, {}, (context) => {
    try {
      if (!beginAsHelper(context.database, help.meeting)) return;
      sendShapes(help, jobsInOrder(context, target), context.datasets.shapeBatches, run.checkCancelled);
      context.database.endSnapshot();
    } catch (error) {
      breakChannel(help.state);
      // The export is complete, or failed on its own.
      if (error instanceof AppError && error.code === 'cancelled') return;
      throw error;
    } finally {
      help.port.close();
    }
  });
}
