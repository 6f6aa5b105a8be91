import type { PartOf } from '../../db/columns.ts';
import type { taskColumns } from '../../work/tables/task-table.ts';
import { AppError } from '../../platform/errors.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { JobRepository, NewJob } from '../../work/tables/job-repository.ts';
import { taskStatus } from '../../work/jobs/job-rules.ts';
import type { FrameRow, MediaRow } from '../../work/tables/media-repository.ts';
import type { TaskRepository } from '../../work/tables/task-repository.ts';

/** A job of an imported task. */
export interface IncomingJob extends NewJob {
  readonly start: number;
  readonly stop: number;
  /** The pending set with its annotations. */
  readonly setId: number;
  /** For a replica: index of the job that it is merged into. */
  readonly parent?: number | null;
}

/** An imported task, whose media are already in the folder of its id and its annotations in pending sets. */
export interface IncomingTask {
  readonly id: number;
  /** Values stored unchanged. */
  readonly texts: Partial<PartOf<typeof taskColumns, 'backup'>>;
  readonly projectId: number | null;
  readonly organizationId: number | null;
  readonly ownerId: number | null;
  readonly overlap: number | null;
  readonly segmentSize: number;
  /** Null for a task without data, which has no jobs either. */
  readonly data: {
    readonly media: Omit<MediaRow, 'id'>;
    readonly frames: readonly FrameRow[];
    readonly deletedFrames: readonly number[];
  } | null;
  readonly jobs: readonly IncomingJob[];
}

/** Writes the rows of imported tasks in the order of the foreign keys. */
export function createTaskWriter(dependencies: {
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly sets: AnnotationSetRepository;
  /** The stored medium of a task; see `storeMedia` of the staging. */
  readonly mediumOf: (taskId: number) => number | undefined;
}) {
  const { tasks, jobs, sets, mediumOf } = dependencies;

  function writeJob(
    taskId: number,
    { start, stop, setId, parent: _parent, ...settings }: IncomingJob,
    now: string,
    parentId?: number,
  ): number {
    const id = jobs.insert(taskId, start, stop, now, { ...settings, parentId });
    if (!sets.adopt(setId, id)) throw new AppError('internal', `The annotation set ${setId} is not pending.`);
    return id;
  }

  return {
    /** Runs in the caller's transaction. Returns the ids of the jobs. */
    write(task: IncomingTask, now: string): number[] {
      tasks.insert({
        id: task.id,
        ...task.texts,
        project_id: task.projectId,
        owner_id: task.ownerId,
        assignee_id: null,
        overlap: task.overlap,
        segment_size: task.segmentSize,
        organization_id: task.organizationId,
        date: now,
      });
      if (!task.data) return [];
      const mediaId = mediumOf(task.id);
      if (mediaId === undefined) throw new AppError('internal', `The frames of task ${task.id} are not stored.`);
      const own = task.jobs.map((job) => (typeof job.parent === 'number' ? null : writeJob(task.id, job, now)));
      const jobIds = task.jobs.map(
        (job, at) => own[at] ?? writeJob(task.id, job, now, own[job.parent ?? at] ?? undefined),
      );
      const status = taskStatus(jobs.ofTask(task.id).filter((job) => job.type === 'annotation'));
      const mode = task.data.media.kind === 'video' ? 'interpolation' : 'annotation';
      tasks.update(task.id, { media_id: mediaId, mode, status }, now);
      return jobIds;
    },
  };
}
