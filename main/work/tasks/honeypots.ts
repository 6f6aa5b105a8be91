import type { z } from 'zod';
import type {
  jobValidationLayoutSchema,
  jobValidationPatchSchema,
} from '../../../preload/contract/schema/resources.ts';
import { invalidField, invalidRequest } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationService } from '../annotations/annotation-service.ts';
import { createHoneypotSelector, type HoneypotSelector } from '../jobs/honeypot-selection.ts';
import { validationFrames } from '../jobs/job-rules.ts';
import { createSeededRandom } from '../jobs/seeded-choice.ts';
import type { Honeypot } from '../tables/honeypot-rows.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { TaskRow } from '../tables/task-table.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

type Body = z.output<typeof jobValidationPatchSchema>;

/** Frames of a validation pool and their honeypots. */
interface Pool {
  readonly honeypots: readonly Honeypot[];
  readonly all: ReadonlySet<number>;
  /** Without disabled frames. */
  readonly active: ReadonlySet<number>;
}

const isIn = ({ start_frame: start, stop_frame: stop }: Pick<JobRow, 'start_frame' | 'stop_frame'>) => {
  return ({ frame }: Honeypot) => frame >= start && frame <= stop;
};

/** Reads and changes which frames of the validation pool the honeypots of jobs repeat. */
export function createHoneypots({
  media,
  jobs,
  changes,
  clock,
  tasks,
  annotations,
}: Pick<WorkServiceDependencies, 'media' | 'jobs' | 'tasks' | 'changes' | 'clock'> & {
  readonly annotations: Pick<AnnotationService, 'clearFrames'>;
}) {
  const honeypotsOf = (mediaId: number | null) => (mediaId === null ? [] : media.honeypots(mediaId));

  function poolOf(task: TaskRow): Pool {
    const truth = jobs.ofTask(task.id).find(({ type }) => type === 'ground_truth');
    const frames = truth ? validationFrames(truth) : [];
    const disabled = new Set(JSON.parse(truth?.disabled_frames ?? '[]') as number[]);
    return {
      honeypots: honeypotsOf(task.media_id),
      all: new Set(frames),
      active: new Set(frames.filter((frame) => !disabled.has(frame))),
    };
  }

  /** Applies the changed frames and deletes the annotations of the earlier images. */
  function apply(actor: Actor, task: TaskRow, changed: readonly Honeypot[], jobIds: readonly number[]): void {
    const { media_id: mediaId } = task;
    if (mediaId === null) return;
    const now = clock();
    const frames = new Set(changed.map(({ frame }) => frame));
    changes.run(actor, { tasks: [task.id], jobs: jobIds }, () => {
      if (changed.length > 0) {
        annotations.clearFrames(actor, task.id, frames);
        for (const honeypot of changed) {
          media.repeatFrame(mediaId, honeypot);
          media.setDeleted(mediaId, honeypot.frame, false);
        }
        media.setDate(mediaId, now);
      }
      for (const id of jobIds) jobs.touch(id, now);
      tasks.touch(task.id, now);
    });
  }

  const jobsWith = (task: TaskRow, changed: readonly Honeypot[]): number[] =>
    jobs
      .ofTask(task.id)
      .filter((job) => job.type !== 'ground_truth' && changed.some(isIn(job)))
      .map(({ id }) => id);

  const changesOf = (before: readonly Honeypot[], after: readonly number[]): Honeypot[] =>
    before.flatMap(({ frame, real_frame: real }, at) => {
      const wanted = after[at] ?? real;
      return wanted === real ? [] : [{ frame, real_frame: wanted }];
    });

  return {
    ofTask(task: TaskRow) {
      const row = task.media_id === null ? undefined : media.get(task.media_id);
      return { perJob: row?.honeypots_per_job ?? null, ...presented(honeypotsOf(task.media_id)) };
    },
    ofJob: (job: JobRow) => presented(honeypotsOf(job.media_id).filter(isIn(job))),
    updateJob(actor: Actor, task: TaskRow, job: JobRow, body: Body): void {
      const pool = poolOf(task);
      const own = pool.honeypots.filter(isIn(job));
      const wanted = body.honeypot_real_frames ?? chosen(pool, own.length, selectorOf(pool, pool.honeypots));
      if (body.honeypot_real_frames) requireActive(pool, wanted, own.length);
      const changed = changesOf(own, wanted);
      const isRandom = body.honeypot_real_frames === undefined;
      if (changed.length > 0 || isRandom)
        apply(actor, task, changed, [...new Set([job.id, ...jobsWith(task, changed)])]);
    },
    updateTask(actor: Actor, task: TaskRow, body: Body): void {
      const pool = poolOf(task);
      const own = jobs.ofTask(task.id).filter(({ type }) => type === 'annotation');
      const { honeypot_real_frames: requested } = body;
      if (requested && requested.length !== pool.honeypots.length)
        throw invalidField(
          'honeypot_real_frames',
          `Invalid size of 'honeypot_real_frames' array, expected ${pool.honeypots.length}`,
        );
      if (requested) requireActive(pool, requested, pool.honeypots.length);
      // All are selected again, so their earlier uses do not count.
      const selector = selectorOf(pool, []);
      const inOrder = own.toSorted((a, b) => a.start_frame - b.start_frame);
      const wanted =
        requested ?? inOrder.flatMap((job) => chosen(pool, pool.honeypots.filter(isIn(job)).length, selector));
      const changed = changesOf(pool.honeypots, wanted);
      const ids = requested ? jobsWith(task, changed) : jobsWith(task, pool.honeypots);
      if (ids.length > 0) apply(actor, task, changed, ids);
    },
  };
}

function presented(honeypots: readonly Honeypot[]): z.output<typeof jobValidationLayoutSchema> {
  return {
    honeypot_count: honeypots.length,
    honeypot_frames: honeypots.map(({ frame }) => frame),
    honeypot_real_frames: honeypots.map(({ real_frame: real }) => real),
  };
}

function selectorOf({ active }: Pool, used: readonly Honeypot[]): HoneypotSelector {
  const uses = new Map([...active].map((frame) => [frame, 0]));
  for (const { real_frame: real } of used) if (uses.has(real)) uses.set(real, uses.get(real)! + 1);
  return createHoneypotSelector(uses, createSeededRandom(Math.floor(Math.random() * 2 ** 31)));
}

function chosen({ active }: Pool, count: number, selector: HoneypotSelector): number[] {
  if (active.size < count)
    throw invalidRequest(
      `Can't select validation frames: the remaining number of validation frames (${active.size}) is less than the ` +
        `number of honeypots in a job (${count}). Try to restore some validation frames`,
    );
  return selector.take(count);
}

function requireActive({ all, active }: Pool, wanted: readonly number[], count: number): void {
  const refuse = (reason: string) => invalidRequest(`Could not update honeypot frames: ${reason}`);
  const listed = (frames: readonly number[]) => [...new Set(frames)].sort((a, b) => a - b).join(', ');
  const others = wanted.filter((frame) => !all.has(frame));
  if (others.length > 0) throw refuse(`frames ${listed(others)} are not from the validation pool`);
  const disabled = wanted.filter((frame) => !active.has(frame));
  if (disabled.length > 0)
    throw refuse(`frames ${listed(disabled)} are disabled. Restore them in the validation pool first`);
  if (wanted.length !== count)
    throw refuse(`the number of honeypots must remain the same. Requested ${wanted.length}, current ${count}`);
}
