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
import { validationFrames } from '../jobs/job-rules.ts';
import type { AnnotationService } from '../annotations/annotation-service.ts';
import { createDeletedFrames } from './deleted-frames.ts';
import { createHoneypots } from './honeypots.ts';
import { defined } from '../../platform/defined.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

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
  dependencies: Pick<
    WorkServiceDependencies,
    'jobs' | 'tasks' | 'media' | 'access' | 'people' | 'changes' | 'clock'
  > & {
    readonly annotations: Pick<AnnotationService, 'clearFrames'>;
  },
) {
  const { jobs, tasks, media, access, people, changes, clock } = dependencies;
  const honeypots = createHoneypots(dependencies);
  const { disableFrames } = createDeletedFrames(dependencies);
  const groundTruthOf = (taskId: number): JobRow | undefined =>
    jobs.ofTask(taskId).find((job) => job.type === 'ground_truth');

  function insert(task: TaskRow, body: JobWrite, now: string): number {
    const { media_id: mediaId, size } = task;
    if (mediaId === null || size === null) throw invalidRequest('The task has no data yet.');
    if (groundTruthOf(task.id))
      throw invalidRequest(`Task with validation mode "${task.validation_mode}" cannot have more than 1 GT job`);
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

  function layoutOf(task: TaskRow): TaskValidationLayout {
    const job = groundTruthOf(task.id);
    if (!job) return { mode: null };
    const { perJob, ...layout } = honeypots.ofTask(task);
    return {
      mode: perJob === null ? 'gt' : 'gt_pool',
      frames_per_job_count: perJob,
      validation_frames: validationFrames(job),
      disabled_frames: JSON.parse(job.disabled_frames) as number[],
      ...(perJob === null ? {} : layout),
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
      if (tasks.get(row.task_id)?.validation_mode === 'gt_pool')
        throw invalidRequest('GT jobs cannot be removed when task validation mode is "gt_pool"');
      changes.run(actor, { tasks: [row.task_id] }, () => {
        changes.deleting(actor, 'job', [id]);
        jobs.remove(row);
        tasks.touch(row.task_id, clock());
      });
    },
    taskLayout: (actor: Actor, id: number): TaskValidationLayout =>
      layoutOf(access.task(actor, id, 'view:validation_layout')),
    updateTaskLayout(actor: Actor, id: number, body: z.output<typeof taskValidationPatchSchema>): TaskValidationLayout {
      const task = access.task(actor, id, 'update:validation_layout');
      requireFrames(body);
      const job = groundTruthOf(id);
      if (!job) throw invalidRequest('Validation is not configured in the task: create its ground truth job first.');
      const { disabled_frames: disabled, frame_selection_method: method } = body;
      if (method !== undefined) requirePooled(task);
      changes.run(actor, {}, () => {
        if (disabled !== undefined) this.disableFrames(actor, job, disabled);
        if (method !== undefined) honeypots.updateTask(actor, task, body);
      });
      return layoutOf(task);
    },
    disableFrames(actor: Actor, job: JobRow, frames: readonly number[]): void {
      const included = new Set(validationFrames(job));
      const wrong = frames.find((frame) => !included.has(frame));
      if (wrong !== undefined) throw invalidField('disabled_frames', `Frame ${wrong} is not a validation frame.`);
      disableFrames(actor, job, frames);
    },
    jobLayout(actor: Actor, id: number): z.output<typeof jobValidationLayoutSchema> {
      return honeypots.ofJob(access.job(actor, id, 'view:validation_layout'));
    },
    updateJobLayout(
      actor: Actor,
      id: number,
      body: z.output<typeof jobValidationPatchSchema>,
    ): z.output<typeof jobValidationLayoutSchema> {
      const job = access.job(actor, id, 'update:validation_layout');
      requireFrames(body);
      if (body.frame_selection_method === undefined)
        throw invalidField('frame_selection_method', 'This field is required.');
      const task = orNotFound(tasks.get(job.task_id));
      requirePooled(task);
      if (job.type === 'ground_truth') throw invalidRequest('Honeypots cannot exist in ground_truth jobs');
      honeypots.updateJob(actor, task, job, body);
      return honeypots.ofJob(job);
    },
  };
}

function requirePooled({ validation_mode: mode }: TaskRow): void {
  if (mode !== 'gt_pool')
    throw invalidRequest("Honeypots can only be modified if the task validation mode is 'gt_pool'");
}

function requireFrames({
  frame_selection_method: method,
  honeypot_real_frames: frames,
}: z.output<typeof jobValidationPatchSchema>): void {
  if (method === 'manual' && (frames ?? []).length === 0)
    throw invalidField('honeypot_real_frames', 'This field is required.');
  if (method !== 'manual' && frames !== undefined)
    throw invalidRequest('"honeypot_real_frames" can only be used when "frame_selection_method" is "manual"');
  if (method === 'random_per_job')
    throw invalidField('frame_selection_method', 'Honeypots are selected by "random_uniform" or "manual".');
}
