import type { z } from 'zod';
import type { Agreement, agreementFileSchema } from '../../../preload/contract/schema/consensus.ts';
import { usualChoices } from '../../../preload/contract/schema/quality.ts';
import type { Actor } from '../../users/access/actor.ts';
import { presentUser } from '../../users/accounts/present.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { labelOwner } from '../tables/label-repository.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { AgreementJob } from './agreement-job.ts';
import { agreementCsv, agreementOf, type MeasuredPair } from './agreement-rules.ts';
import type { ConsensusRepository } from './consensus-repository.ts';
import { framesOf, type Replicas } from './replicas.ts';
import type { FramePreparation } from '../tasks/frame-preparation.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

interface Dependencies extends Pick<WorkServiceDependencies, 'access' | 'media' | 'workers' | 'labelRows'> {
  readonly consensus: ConsensusRepository;
  readonly replicas: Replicas;
  readonly preparation: Pick<FramePreparation, 'whole'>;
  readonly databaseFile: string;
}

type Person = Agreement['annotators'][number];

/** Measures the agreement of annotators who annotated the same frames in separate replicas. */
export function createAgreementService(dependencies: Dependencies) {
  const { consensus, replicas, databaseFile, access, media, workers, labelRows, preparation } = dependencies;

  async function ofTask(actor: Actor, taskId: number, signal: AbortSignal): Promise<Agreement> {
    const task = access.task(actor, taskId, 'view');
    if (task.media_id === null || task.consensus_replicas === 0)
      throw invalidRequest('The task has no replicas: their number is set when a task is created.');
    const mediaId = task.media_id;
    await preparation.whole(mediaId, { signal });
    const { iou_threshold } = consensus.settingsOf(taskId);
    const labels = labelRows.list(labelOwner(task.project_id, taskId));
    const choices = { ...usualChoices, iou_threshold, panoptic_comparison: false };
    // Access to the task includes its agreement, although the user may not be allowed to read each of the jobs.
    const deleted = new Set(media.deletedFrames(mediaId, 0, (task.size ?? 1) - 1));
    const people = createPeople(actor.baseUrl);
    const all = replicas.ofTask(taskId).filter(({ begun }) => begun.length > 1);
    const measured: MeasuredPair[] = [];
    for (const { parent, begun } of all) {
      signal.throwIfAborted();
      const frames = framesOf(parent, mediaId, media).filter(({ frame }) => !deleted.has(frame));
      const payload: AgreementJob = { frames, databaseFile, jobIds: begun.map(({ id }) => id), labels, choices };
      const found = await workers.run('measureAgreement', payload, { signal });
      const places = begun.map((job) => people.placeOf(job));
      const jobAt = (place: number): number => begun[place]?.id ?? 0;
      for (const pair of found) {
        const { first, second } = pair;
        measured.push({
          ...pair,
          first: places[first] ?? 0,
          second: places[second] ?? 0,
          jobFirst: jobAt(first),
          jobSecond: jobAt(second),
          frames: frames.length,
        });
      }
    }
    return { task_id: taskId, iou_threshold, jobs: all.length, annotators: people.all, ...agreementOf(measured) };
  }

  return {
    ofTask,
    async file(
      actor: Actor,
      taskId: number,
      format: 'json' | 'csv',
      signal: AbortSignal,
    ): Promise<z.output<typeof agreementFileSchema>> {
      const agreement = await ofTask(actor, taskId, signal);
      const name = `agreement-of-task-${taskId}.${format}`;
      return format === 'csv'
        ? { name, type: 'text/csv', content: agreementCsv(agreement) }
        : { name, type: 'application/json', content: `${JSON.stringify(agreement, null, 2)}\n` };
    },
  };
}

function createPeople(baseUrl: string) {
  const all: Person[] = [];
  const places = new Map<string, number>();
  return {
    all,
    placeOf(job: JobRow): number {
      const key = job.assignee_id === null ? `job ${job.id}` : `user ${job.assignee_id}`;
      const place = places.get(key) ?? all.push({ user: presentUser(job, 'assignee', baseUrl), jobs: [] }) - 1;
      places.set(key, place);
      all[place]?.jobs.push(job.id);
      return place;
    },
  };
}
