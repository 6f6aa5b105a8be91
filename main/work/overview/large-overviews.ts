import type { FrameSearch } from '../../../preload/contract/schema/finding.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationRepository } from '../annotations/annotation-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import type { createFrameSearch } from './frame-search.ts';
import type { createProgress, createStatistics } from './statistics.ts';

interface Overviews {
  readonly frameSearch: ReturnType<typeof createFrameSearch>;
  readonly statistics: ReturnType<typeof createStatistics>;
  readonly progress: ReturnType<typeof createProgress>;
}

interface Dependencies extends Pick<WorkServiceDependencies, 'access' | 'tasks' | 'jobs'> {
  readonly annotations: Pick<AnnotationRepository, 'countUpTo'>;
  readonly databaseFile: string;
  readonly workers: WorkerPool;
  /** Reads on the thread that answers requests. */
  readonly here: Overviews;
}

/** Shapes and keyframes that are read on the thread that answers requests. Reading them takes some milliseconds. */
const maxObjectsHere = 1000;
const maxJobsHere = 20;

/** Overviews of many objects are read in a separate worker thread. */
export function createLargeOverviews(dependencies: Dependencies): Overviews {
  const { access, tasks, jobs, annotations, databaseFile, here } = dependencies;
  // Exports and imports may take all threads of the shared pool for minutes.
  const workers = dependencies.workers.separate(1);

  function areLarge(jobIds: readonly number[]): boolean {
    let left = maxObjectsHere;
    return jobIds.length > maxJobsHere || jobIds.some((id) => (left -= annotations.countUpTo(left, id, {})) <= 0);
  }
  const jobsOf = (taskId: number): number[] => jobs.spansOfTask(taskId).map(({ id }) => id);

  return {
    progress: {
      ...here.progress,
      async ofJob(actor: Actor, id: number, signal: AbortSignal) {
        access.job(actor, id, 'view:annotations');
        if (!areLarge([id])) return here.progress.ofJob(actor, id, signal);
        return workers.run('readJobProgress', { databaseFile, actor, id }, { signal });
      },
    },
    statistics: {
      async ofJob(actor: Actor, id: number, signal: AbortSignal) {
        access.job(actor, id, 'view:annotations');
        if (!areLarge([id])) return here.statistics.ofJob(actor, id, signal);
        return workers.run('readJobStatistics', { databaseFile, actor, id }, { signal });
      },
      async ofTask(actor: Actor, id: number, signal: AbortSignal) {
        access.task(actor, id, 'view:annotations');
        if (!areLarge(jobsOf(id))) return here.statistics.ofTask(actor, id, signal);
        return workers.run('readTaskStatistics', { databaseFile, actor, id }, { signal });
      },
      async ofProject(actor: Actor, id: number, signal: AbortSignal) {
        access.project(actor, id, 'view');
        const taskIds = tasks.idsOfProject(id);
        for (const taskId of taskIds) access.task(actor, taskId, 'view:annotations');
        const isLarge = taskIds.length > maxJobsHere || areLarge(taskIds.flatMap(jobsOf));
        if (!isLarge) return here.statistics.ofProject(actor, id, signal);
        return workers.run('readProjectStatistics', { databaseFile, actor, id }, { signal });
      },
    },
    frameSearch: {
      async search(actor: Actor, jobId: number, search: FrameSearch, signal: AbortSignal) {
        access.job(actor, jobId, 'view:annotations');
        if (!areLarge([jobId])) return here.frameSearch.search(actor, jobId, search, signal);
        return workers.run('searchJobFrames', { databaseFile, actor, id: jobId, search }, { signal });
      },
    },
  };
}
