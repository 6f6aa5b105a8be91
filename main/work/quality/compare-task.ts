import type { QualitySummary } from '../../../preload/contract/schema/quality.ts';
import type { Actor } from '../../people/access/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { AnnotationService } from '../annotations/annotation-service.ts';
import { jobFrames } from '../jobs/job-rules.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { TaskRow } from '../tasks/task-repository.ts';
import type { ComparedFrames, CompareJob } from './compare-frame.ts';
import { choicesOf, dataOf, summaryOf, type Compared } from './quality-rules.ts';
import type { NewReport, QualityRepository } from './quality-repository.ts';
import type { WorkParts } from '../work-parts.ts';

export interface TaskComparisonDependencies extends Pick<WorkParts, 'tasks' | 'jobs' | 'media' | 'workers' | 'clock'> {
  readonly quality: QualityRepository;
  readonly annotations: Pick<AnnotationService, 'readJob'>;
}

export interface ComparedTask {
  readonly summary: QualitySummary;
  readonly truthDate: string;
  /** Writes the report of the task and those of its jobs, and gives the id of the first; within a transaction. */
  readonly insert: (parentId: number | null, now: string) => number;
}

interface Run {
  readonly reader: Actor;
  readonly signal: AbortSignal;
  readonly progress: (share: number, message?: string) => void;
}

/** Compares the annotation jobs of one task with its ground truth. */
export function createTaskComparison(dependencies: TaskComparisonDependencies) {
  const { quality, annotations, jobs, media, workers, clock } = dependencies;

  return async (task: TaskRow | undefined, { reader, signal, progress }: Run): Promise<ComparedTask> => {
    if (!task || task.media_id === null)
      throw new AppError('not-found', 'The task was deleted before it was compared.');
    const mediaId = task.media_id;
    const all = jobs.ofTask(task.id);
    const truth = all.find(({ type }) => type === 'ground_truth');
    if (!truth) throw new AppError('invalid', 'The ground truth was deleted before the task was compared with it.');
    const choices = choicesOf(quality.effective(task, clock()));
    const disabled = new Set(JSON.parse(truth.disabled_frames) as number[]);
    const deleted = new Set(media.deletedFrames(mediaId, 0, (task.size ?? 1) - 1));
    const frames = (jobFrames(truth) ?? []).filter((frame) => !disabled.has(frame) && !deleted.has(frame));
    const wanted = { jobId: truth.id, data: annotations.readJob(reader, truth.id) };

    async function compare(job: JobRow): Promise<Compared> {
      const shared = frames.filter((frame) => frame >= job.start_frame && frame <= job.stop_frame);
      if (shared.length === 0) return new Map();
      const given: CompareJob = {
        frames: shared.map((frame) => {
          const { width = 0, height = 0 } = media.frame(mediaId, frame) ?? {};
          return { frame, width, height };
        }),
        truth: wanted,
        own: { jobId: job.id, data: annotations.readJob(reader, job.id) },
        choices,
      };
      return new Map(await workers.run<CompareJob, ComparedFrames>('compareQuality', given, { signal }));
    }

    const own = all.filter(({ type }) => type === 'annotation');
    const results: { readonly job: JobRow; readonly compared: Compared }[] = [];
    for (const job of own) {
      results.push({ job, compared: await compare(job) });
      progress(results.length / (own.length + 1), 'Comparing with the ground truth');
    }
    const checked = results.filter(({ compared }) => compared.size > 0);
    const union = new Map(checked.flatMap(({ compared }) => [...compared]));
    const ofTask: QualitySummary = {
      ...summaryOf(
        checked.flatMap(({ compared }) => [...compared.values()]),
        task.size ?? 0,
        union.size,
      ),
      jobs: { total: own.length, excluded: 0, not_checkable: own.length - checked.length, included: checked.length },
      tasks: null,
    };
    const place = { taskId: task.id, projectId: null, truthDate: truth.updated_date };
    const insert: ComparedTask['insert'] = (outerId, now) => {
      const base = {
        ...place,
        parentId: outerId,
        jobId: null,
        targetDate: task.updated_date,
        assigneeId: task.assignee_id,
      };
      const parentId = quality.insert(
        { ...base, summary: ofTask, data: dataOf(choices, ofTask, union), conflicts: [] },
        now,
      );
      for (const { job, compared } of checked) {
        const size = job.stop_frame - job.start_frame + 1;
        const summary: QualitySummary = {
          ...summaryOf([...compared.values()], size, compared.size),
          jobs: null,
          tasks: null,
        };
        const report: NewReport = {
          ...place,
          parentId,
          jobId: job.id,
          targetDate: job.updated_date,
          assigneeId: job.assignee_id,
          summary,
          data: dataOf(choices, summary, compared),
          conflicts: [...compared.values()].flatMap(({ conflicts }) => conflicts),
        };
        quality.insert(report, now);
      }
      return parentId;
    };
    return { summary: ofTask, truthDate: truth.updated_date, insert };
  };
}
