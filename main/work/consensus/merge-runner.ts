import { usualChoices } from '../../../preload/contract/schema/quality.ts';
import type { Actor } from '../../users/access/actor.ts';
import { requester } from '../../users/accounts/requester.ts';
import { AppError } from '../../platform/errors.ts';
import type { RequestResult } from '../../background-requests/request-end.ts';
import type { RequestRunner } from '../../background-requests/request-queue.ts';
import { inPortions } from '../../platform/portions.ts';
import type { AnnotationService } from '../annotations/annotation-service.ts';
import { labelOwner } from '../tables/label-repository.ts';
import type { ConsensusRepository } from './consensus-repository.ts';
import { asData, isOpen, mergeMessage, neededOf, whyNot, type MergedJob } from './merge-rules.ts';
import type { MergeReplicas, Replica } from './merge-replicas.ts';
import { framesOf, type Replicas, type ReplicatedJob } from './replicas.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

interface Dependencies extends Pick<
  WorkServiceDependencies,
  'access' | 'users' | 'jobs' | 'media' | 'workers' | 'clock' | 'labelRows'
> {
  readonly consensus: ConsensusRepository;
  readonly replicas: Replicas;
  readonly annotations: Pick<AnnotationService, 'readJobInPortions' | 'replaceJobs'>;
}

/**
 * Merges the replicas of a task's jobs, or of one job. Reads and merges everything first. The result is written in one
 * transaction with the end of the request, so that a crash leaves all of it or nothing.
 */
export function createMergeRunner(dependencies: Dependencies): RequestRunner {
  const { consensus, replicas, annotations, access, jobs, media, workers, clock, labelRows } = dependencies;

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
      { mediaId, labels }: Pick<ReturnType<typeof wanted>, 'mediaId' | 'labels'>,
    ): Promise<MergedJob> {
      const given: Replica[] = [];
      for (const { id } of job.begun)
        given.push({ jobId: id, data: await inPortions(annotations.readJobInPortions(writer, id), signal) });
      const { iou_threshold, quorum } = consensus.settingsOf(taskId);
      const needed = neededOf(quorum, given.length);
      const choices = { ...usualChoices, iou_threshold, panoptic_comparison: false };
      const frames = framesOf(job.parent, mediaId, media);
      const payload: MergeReplicas = { frames, replicas: given, labels, choices, needed };
      return {
        job,
        needed,
        merged: await workers.run('mergeReplicas', payload, { signal }),
      };
    }

    const place = wanted();
    const { own, all } = place;
    const done: MergedJob[] = [];
    for (const job of own) {
      progress(done.length / own.length, 'Merging the replicas');
      done.push(await merge(job, place));
    }
    const result: RequestResult = { message: mergeMessage(done, all) };
    signal.throwIfAborted();
    // Uses the jobs' present state: it may have changed since the merge began.
    const open = new Set(wanted().own.map(({ parent }) => parent.id));
    const closed = own.find(({ parent }) => !open.has(parent.id));
    if (closed)
      throw new AppError(
        'invalid',
        `Cannot merge: job ${closed.parent.id} changed during the merge. Nothing was changed. Merge again.`,
      );
    const parts = done.map(({ job, merged }) => ({ jobId: job.parent.id, data: asData(merged) }));
    annotations.replaceJobs(writer, { taskId, jobId }, parts, () => {
      for (const { jobId: id } of parts) jobs.update(id, { state: 'completed' }, clock());
      finish(result);
    });
    return result;
  };
}
