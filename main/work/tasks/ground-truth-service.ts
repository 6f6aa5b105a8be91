import type { z } from 'zod';
import type {
  Job,
  JobWrite,
  jobValidationPatchSchema,
  jobValidationLayoutSchema,
  TaskValidationLayout,
  taskValidationPatchSchema,
} from '../../../preload/contract/schema/resources.ts';
import { invalidField, invalidRequest, orNotFound } from '../../platform/errors.ts';
import { requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { TaskRow } from '../tables/task-table.ts';
import type { WorkAccess } from '../work-access.ts';
import { selectValidationFrames } from '../jobs/frame-selection.ts';
import { presentJob } from '../jobs/job-presenter.ts';
import type { JobRow } from '../tables/job-table.ts';
import { jobFrames } from '../jobs/job-rules.ts';
import { defined } from '../../platform/defined.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

const noHoneypots = 'Limner keeps validation frames in a separate job: there are no honeypots to change.';

/** Before a job exists, the rules use the facts of its task. */
function requireCreation(access: WorkAccess, actor: Actor, task: TaskRow): void {
  const { people, ...place } = access.facts.task(actor, task);
  requireAllowed(actor, 'job', 'create', {
    ...place,
    people: {
      taskOwner: people?.owner ?? null,
      taskAssignee: people?.assignee ?? null,
      projectOwner: people?.projectOwner ?? null,
      projectAssignee: people?.projectAssignee ?? null,
    },
  });
}

/** Ground-truth jobs: some frames of a task, annotated a second time, to compare the other jobs with. */
export function createGroundTruthService(
  dependencies: Pick<WorkServiceDependencies, 'jobs' | 'tasks' | 'media' | 'access' | 'people' | 'changes' | 'clock'>,
) {
  const { jobs, tasks, media, access, people, changes, clock } = dependencies;
  const groundTruthOf = (taskId: number): JobRow | undefined =>
    jobs.ofTask(taskId).find((job) => job.type === 'ground_truth');

  function insert(task: TaskRow, body: JobWrite, now: string): number {
    const { media_id: mediaId, size } = task;
    if (mediaId === null || size === null) throw invalidRequest('The task has no data yet.');
    if (groundTruthOf(task.id)) throw invalidRequest('Task with validation mode "gt" cannot have more than 1 GT job');
    const frames = selectValidationFrames(body, {
      size,
      deleted: new Set(media.deletedFrames(mediaId, 0, size - 1)),
      jobs: jobs
        .ofTask(task.id)
        .filter((job) => job.type === 'annotation')
        .map(({ start_frame: start, stop_frame: stop }) => ({ start, stop })),
    });
    return jobs.insert(task.id, 0, size - 1, now, {
      type: 'ground_truth',
      frames,
      assigneeId: body.assignee ?? null,
      ...defined({ stage: body.stage, state: body.state }),
    });
  }

  function layoutOf(taskId: number): TaskValidationLayout {
    const job = groundTruthOf(taskId);
    if (!job) return { mode: null };
    return {
      mode: 'gt',
      frames_per_job_count: null,
      validation_frames: [...(jobFrames(job) ?? [])],
      disabled_frames: JSON.parse(job.disabled_frames) as number[],
    };
  }

  return {
    create(actor: Actor, body: JobWrite): Job {
      if (body.type !== 'ground_truth') throw invalidField('type', 'Only ground truth jobs can be created.');
      const task = tasks.get(body.task_id);
      if (!task) throw invalidField('task_id', `Invalid pk "${body.task_id}" - object does not exist.`);
      requireCreation(access, actor, task);
      people.requireUser(actor, 'assignee', body.assignee);
      const id = changes.run(actor, {}, () => {
        const created = changes.run(actor, { tasks: [task.id] }, () => {
          tasks.touch(task.id, clock());
          return insert(task, body, clock());
        });
        changes.created(actor, 'job', [created]);
        return created;
      });
      const row = orNotFound(jobs.get(id));
      return presentJob(row, actor.baseUrl);
    },
    /** Deletes the job with its annotations and issues. Other jobs are deleted only with their task. */
    remove(actor: Actor, id: number): void {
      const row = access.job(actor, id, 'view', 'delete');
      if (row.type !== 'ground_truth') throw invalidRequest('Only ground truth jobs can be removed');
      changes.run(actor, { tasks: [row.task_id] }, () => {
        changes.deleting(actor, 'job', [id]);
        jobs.remove(row);
        tasks.touch(row.task_id, clock());
      });
    },
    taskLayout(actor: Actor, id: number): TaskValidationLayout {
      access.task(actor, id, 'view:validation_layout');
      return layoutOf(id);
    },
    updateTaskLayout(actor: Actor, id: number, body: z.output<typeof taskValidationPatchSchema>): TaskValidationLayout {
      access.task(actor, id, 'update:validation_layout');
      refuseHoneypots(body);
      const job = groundTruthOf(id);
      if (!job) throw invalidRequest('Validation is not configured in the task: create its ground truth job first.');
      if (body.disabled_frames !== undefined) this.disableFrames(actor, job, body.disabled_frames);
      return layoutOf(id);
    },
    disableFrames(actor: Actor, job: JobRow, frames: readonly number[]): void {
      const included = new Set(jobFrames(job));
      const wrong = frames.find((frame) => !included.has(frame));
      if (wrong !== undefined) throw invalidField('disabled_frames', `Frame ${wrong} is not a validation frame.`);
      changes.run(actor, { jobs: [job.id] }, () => {
        jobs.disableFrames(
          job,
          [...new Set(frames)].sort((a, b) => a - b),
        );
        jobs.touch(job.id, clock());
      });
    },
    jobLayout(actor: Actor, id: number): z.output<typeof jobValidationLayoutSchema> {
      access.job(actor, id, 'view:validation_layout');
      return { honeypot_count: 0, honeypot_frames: [], honeypot_real_frames: [] };
    },
    updateJobLayout(
      actor: Actor,
      id: number,
      _body: z.output<typeof jobValidationPatchSchema>,
    ): z.output<typeof jobValidationLayoutSchema> {
      access.job(actor, id, 'update:validation_layout');
      throw invalidRequest(noHoneypots);
    },
  };
}

function refuseHoneypots(body: z.output<typeof taskValidationPatchSchema>): void {
  for (const field of ['honeypot_real_frames', 'frame_selection_method'] as const) {
    if (body[field] !== undefined) throw invalidField(field, noHoneypots);
  }
}
