import { usualChoices, type QualityChoices, type QualitySummary } from '../../../preload/contract/schema/quality.ts';
import type { Actor } from '../../people/access/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { RequestRunner } from '../../requests/request-queue.ts';
import type { AnnotationService } from '../annotations/annotation-service.ts';
import type { WorkChanges } from '../changes.ts';
import type { JobRepository } from '../jobs/job-repository.ts';
import { jobFrames } from '../jobs/job-rules.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { MediaRepository } from '../tasks/media-repository.ts';
import type { TaskRepository } from '../tasks/task-repository.ts';
import type { FoundConflict, FrameComparison, FrameCounts } from './compare-frame.ts';
import type { ComparedFrames, CompareJob } from './compare-job.ts';
import type { NewReport, QualityRepository } from './quality-repository.ts';

interface Dependencies {
  readonly quality: QualityRepository;
  readonly annotations: Pick<AnnotationService, 'readJob'>;
  readonly tasks: TaskRepository;
  readonly jobs: JobRepository;
  readonly media: MediaRepository;
  readonly changes: WorkChanges;
  readonly workers: WorkerPool;
  readonly clock: Clock;
}

type Compared = ReadonlyMap<number, FrameComparison>;

/** Compares each annotation job of a task with the ground truth, on the frames that both have. */
export function createQualityRunner(dependencies: Dependencies): RequestRunner {
  const { quality, annotations, tasks, jobs, media, changes, workers, clock } = dependencies;

  return async (run, { signal, progress }) => {
    const task = run.task_id === null ? undefined : tasks.get(run.task_id);
    if (!task || task.media_id === null)
      throw new AppError('not-found', 'The task was deleted before it was compared.');
    const mediaId = task.media_id;
    const all = jobs.ofTask(task.id);
    const truth = all.find(({ type }) => type === 'ground_truth');
    if (!truth) throw new AppError('invalid', 'The ground truth was deleted before the task was compared with it.');
    const actor = changes.actorOf(run);
    const reader = readerFor(actor);
    const choices = choicesOf(quality.settingsOf(task.id, clock()).chosen);
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
    };
    const place = { taskId: task.id, truthDate: truth.updated_date };
    const resultId = changes.change(actor, {}, () => {
      const now = clock();
      const base = {
        ...place,
        parentId: null,
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
        const summary: QualitySummary = { ...summaryOf([...compared.values()], size, compared.size), jobs: null };
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
    });
    return { resultId };
  };
}

/** Who may have the report made was asked before; it compares jobs that not everybody may read one by one. */
const readerFor = ({ userId, baseUrl }: ReturnType<WorkChanges['actorOf']>): Actor => ({
  userId: userId ?? 0,
  username: '',
  group: 'admin',
  organization: { kind: 'all' },
  readOnly: true,
  baseUrl,
});

/** What was chosen, and for the rest what holds while nothing is. */
export const choicesOf = (chosen: string): QualityChoices => ({
  ...usualChoices,
  // Written by the service, from what its schema took.
  ...(JSON.parse(chosen) as Partial<QualityChoices>),
});

function countByType(conflicts: readonly FoundConflict[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of conflicts) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function ratesOf({ valid, objects, truths, total }: FrameCounts) {
  return {
    valid_count: valid,
    ds_count: objects,
    gt_count: truths,
    total_count: total,
    accuracy: share(valid, total),
    precision: share(valid, objects),
    recall: share(valid, truths),
  };
}

function summaryOf(compared: readonly FrameComparison[], totalFrames: number, frames: number) {
  const conflicts = compared.flatMap((one) => one.conflicts);
  const errors = conflicts.filter(({ severity }) => severity === 'error').length;
  const sum = (of: keyof FrameCounts) => compared.reduce((total, { counts }) => total + counts[of], 0);
  return {
    total_frames: totalFrames,
    validation_frames: frames,
    validation_frame_share: share(frames, totalFrames),
    conflict_count: conflicts.length,
    warning_count: conflicts.length - errors,
    error_count: errors,
    conflicts_by_type: countByType(conflicts),
    ...ratesOf({ valid: sum('valid'), objects: sum('objects'), truths: sum('truths'), total: sum('total') }),
  };
}

function dataOf(choices: QualityChoices, summary: QualitySummary, compared: Compared) {
  const frames = [...compared].toSorted(([a], [b]) => a - b);
  return {
    parameters: { ...choices },
    comparison_summary: {
      ...summary,
      frames: frames.map(([frame]) => frame),
      frame_share: summary.validation_frame_share,
    },
    frame_results: Object.fromEntries(
      frames.map(([frame, { conflicts, counts }]) => [
        frame,
        {
          conflicts: conflicts.map(({ frame: frame_id, ...one }) => ({ frame_id, ...one })),
          conflict_count: conflicts.length,
          conflicts_by_type: countByType(conflicts),
          annotations: ratesOf(counts),
        },
      ]),
    ),
  };
}
