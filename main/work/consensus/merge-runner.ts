import { usualChoices } from '../../../preload/contract/schema/quality.ts';
import type { Actor } from '../../users/access/actor.ts';
import { requester } from '../../users/accounts/requester.ts';
import { AppError } from '../../platform/errors.ts';
import type { RequestResult } from '../../background-requests/request-end.ts';
import type { RequestRunner } from '../../background-requests/request-queue.ts';
import type { AnnotationService } from '../annotations/annotation-service.ts';
import { labelOwner } from '../tables/label-repository.ts';
import type { ConsensusRepository } from './consensus-repository.ts';
import { isOpen, mergeMessage, neededOf, whyNot, type MergedJob } from './merge-rules.ts';
import type { MergeReplicas } from './merge-replicas.ts';
import { framesOf, type Replicas, type ReplicatedJob } from './replicas.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

interface Dependencies extends Pick<
  WorkServiceDependencies,
  'access' | 'users' | 'jobs' | 'media' | 'workers' | 'clock' | 'labelRows'
> {
  readonly consensus: ConsensusRepository;
  readonly replicas: Replicas;
  readonly annotations: Pick<AnnotationService, 'stageReplacement'>;
  readonly databaseFile: string;
}

/**
 * Merges the replicas of a task's jobs, or of one job. A worker thread reads, merges and writes to pending sets. These are
 * published in one transaction with the end of the request, so that a crash leaves all of it or nothing.
 */
export function createMergeRunner(dependencies: Dependencies): RequestRunner {
  const { consensus, replicas, annotations, databaseFile, access, jobs, media, workers, clock, labelRows } =
    dependencies;

  return async (run, { signal, progress, finish }) => {
    const actor = requester(dependencies.users, run);
    if (run.task_id === null) throw new AppError('not-found', 'Cannot merge the replicas: the task was deleted.');
    const taskId = run.task_id;
    const jobId = run.type === 'merge:job' ? run.job_id : null;
    const writer: Actor = { ...actor, group: 'admin' };

    function wanted() {
      // The user may have lost access since the request was created.
      const task = access.task(actor, taskId, 'view', 'update');
      const all = replicas.ofTask(taskId);
      const why = whyNot(task, all, jobId);
      if (why !== null) throw new AppError('invalid', `${why} Nothing was changed.`);
      if (task.media_id === null) throw new AppError('invalid', 'The task has no data yet.');
      const own = all.filter((one) => isOpen(one) && (jobId === null || one.parent.id === jobId));
      return {
        mediaId: task.media_id,
        labels: labelRows.list(labelOwner(task.project_id, taskId)),
        own,
        all: jobId === null ? all : own,
      };
    }

    async function merge(
      job: ReplicatedJob,
      setId: number,
      { mediaId, labels }: Pick<ReturnType<typeof wanted>, 'mediaId' | 'labels'>,
    ): Promise<MergedJob> {
      const jobIds = job.begun.map(({ id }) => id);
      const { iou_threshold, quorum } = consensus.settingsOf(taskId);
      const needed = neededOf(quorum, jobIds.length);
      const choices = { ...usualChoices, iou_threshold, panoptic_comparison: false };
      const frames = framesOf(job.parent, mediaId, media);
      const payload: MergeReplicas = { frames, databaseFile, jobIds, setId, labels, choices, needed };
      return {
        job,
        needed,
        merged: await workers.run('mergeReplicas', payload, { signal }),
      };
    }

    const place = wanted();
    const { own, all } = place;
    const staged = annotations.stageReplacement(own.map(({ parent }) => parent.id));
    try {
      return await mergeAll();
    } catch (error) {
      staged.discard();
      throw error;
    }

    async function mergeAll(): Promise<RequestResult> {
      const done: MergedJob[] = [];
      for (const [at, job] of own.entries()) {
        progress(done.length / own.length, 'Merging the replicas');
        done.push(await merge(job, staged.setIds[at]!, place));
      }
      const result: RequestResult = { message: mergeMessage(done, all) };
      signal.throwIfAborted();
      // Uses the jobs' present state: it may have changed since the merge began.
      const now = wanted();
      if (JSON.stringify(now.labels) !== JSON.stringify(place.labels))
        throw new AppError(
          'invalid',
          'Cannot merge: the labels were changed during the merge. Nothing was changed. Merge again.',
        );
      const open = new Set(now.own.map(({ parent }) => parent.id));
      const closed = own.find(({ parent }) => !open.has(parent.id));
      if (closed)
        throw new AppError(
          'invalid',
          `Cannot merge: job ${closed.parent.id} changed during the merge. Nothing was changed. Merge again.`,
        );
      staged.publish(writer, { taskId, jobId }, () => {
        for (const { parent } of own) jobs.update(parent.id, { state: 'completed' }, clock());
        finish(result);
      });
      return result;
    }
  };
}
