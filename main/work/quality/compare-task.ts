import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import type { ComparedLabel, ImageSize } from '../../comparison/compared-object.ts';
import type { Actor } from '../../users/access/actor.ts';
import { inPortions } from '../../platform/portions.ts';
import type { AnnotationService } from '../annotations/annotation-service.ts';
import { emptyData } from '../annotations/annotation-writer.ts';
import { onFrame } from '../annotations/pool-copies.ts';
import { validationFrames } from '../jobs/job-rules.ts';
import { labelOwner } from '../tables/label-repository.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { TaskRow } from '../tables/task-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import { comparedJobs } from './compared-jobs.ts';
import type { CompareJob, FrameComparison } from './compare-frame.ts';
import { divideByFrames, inParts } from './divide-by-frames.ts';
import type { QualityRepository } from './quality-repository.ts';
import { choicesOf, isFinishedTruth, type StoredReport } from './quality-rules.ts';
import type { RequirementRepository, RequirementRow } from './requirement-repository.ts';
import {
  mergedConflicts,
  requirementsOfAll,
  type RequirementBasis,
  type StoredConflict,
  type StoredRequirement,
} from './requirement-results.ts';
import { effectiveRequirements } from './requirement-rules.ts';
import { jobReport, taskReport, type Compared } from './stored-reports.ts';

export interface TaskComparisonDependencies extends Pick<
  WorkServiceDependencies,
  'tasks' | 'jobs' | 'media' | 'workers' | 'clock' | 'labelRows'
> {
  readonly quality: QualityRepository;
  readonly requirements: RequirementRepository;
  readonly annotations: Pick<AnnotationService, 'readJobInPortions'>;
}

export interface ComparedTask {
  readonly report: StoredReport;
  /**
   * Writes the reports of the task and its jobs, and returns the id of the task's report. Call inside a transaction.
   */
  readonly insert: (parentId: number | null, now: string) => number;
}

/** Everything that decides about the result of a requirement. */
const definitionOf = ({ id, name, metric, threshold, parameters, labels }: StoredRequirement) => [
  id,
  name,
  metric,
  threshold,
  parameters,
  labels,
];

const hasSameRequirements = ({ requirements }: StoredReport, basis: RequirementBasis): boolean =>
  requirements?.total === basis.total &&
  JSON.stringify(requirements.results.map(definitionOf)) ===
    JSON.stringify(requirementsOfAll([], basis).results.map(definitionOf));

const conflictsOfFrames = (frames: Compared): StoredConflict[] =>
  [...frames.values()].flatMap(({ conflicts, requirements }) =>
    mergedConflicts(
      conflicts,
      requirements.flatMap((one) => one.conflicts),
    ),
  );

export function requirementBasis(
  rows: readonly RequirementRow[],
  choices: QualityChoices,
  labels: readonly ComparedLabel[],
): RequirementBasis {
  const all = effectiveRequirements(rows, choices);
  return { total: all.length, enabled: all.filter(({ enabled }) => enabled), labels };
}

interface FramePair {
  readonly frame: number;
  /** Frame of the ground truth that shows the same image. */
  readonly truthFrame: number;
}

/**
 * Frames of jobs that have a ground truth: those of the ground truth, or the honeypots that repeat them. Without excluded
 * and deleted frames.
 */
function comparedFrames(truth: JobRow, media: TaskComparisonDependencies['media']): FramePair[] {
  const pairs: readonly FramePair[] =
    truth.honeypots_per_job === null
      ? validationFrames(truth).map((frame) => ({ frame, truthFrame: frame }))
      : media.honeypots(truth.media_id).map(({ frame, real_frame: truthFrame }) => ({ frame, truthFrame }));
  const disabled = new Set(JSON.parse(truth.disabled_frames) as number[]);
  const deleted = new Set(media.deletedFrames(truth.media_id, 0, Number.MAX_SAFE_INTEGER));
  return pairs.filter(({ frame, truthFrame }) => !disabled.has(truthFrame) && !deleted.has(frame));
}

/** The ground truth of frames; on honeypots, that of the frames that they repeat. */
function truthFor(truthOn: ReturnType<typeof divideByFrames>['of'], pairs: readonly FramePair[]): LabeledData {
  if (pairs.every(({ frame, truthFrame }) => frame === truthFrame)) return truthOn(pairs.map(({ frame }) => frame));
  const parts = pairs.map(({ frame, truthFrame }) => {
    const { tags, shapes } = truthOn([truthFrame]);
    return {
      tags: tags.map((tag) => onFrame(tag, frame, tag.id)),
      shapes: shapes.map((shape) => onFrame(shape, frame, shape.id)),
    };
  });
  return { ...emptyData(), tags: parts.flatMap(({ tags }) => tags), shapes: parts.flatMap(({ shapes }) => shapes) };
}

interface Run {
  readonly reader: Actor;
  readonly signal: AbortSignal;
  readonly progress: (share: number, message?: string) => void;
}

const sizeOf = ({ width = 0, height = 0 }: Partial<ImageSize> = {}, frame: number) => ({ frame, width, height });

async function compareParts(
  workers: TaskComparisonDependencies['workers'],
  parts: readonly (() => CompareJob)[],
  signal: AbortSignal,
): Promise<Compared> {
  const compared = new Map<number, FrameComparison>();
  for (const part of parts)
    for (const [frame, comparison] of await workers.run('compareQuality', part(), { signal }))
      compared.set(frame, comparison);
  return compared;
}

export function createTaskComparison(dependencies: TaskComparisonDependencies) {
  const { quality, requirements, annotations, jobs, media, workers, labelRows, clock } = dependencies;

  function basisOf(task: TaskRow) {
    const settings = quality.effective(task, clock());
    const labels = labelRows.list(labelOwner(task.project_id, task.id));
    const choices = choicesOf(settings.chosen);
    const basis = {
      choices,
      inherited: settings.isInherited,
      labels: labels.map(({ name }) => name),
      requirements: requirementBasis(requirements.ofSettings(settings.settingsId), choices, labels),
    };
    return { labels, basis };
  }

  /** @returns null for a task without media or without a completed ground truth */
  async function compareTask(task: TaskRow, { reader, signal, progress }: Run): Promise<ComparedTask | null> {
    const all = jobs.ofTask(task.id);
    const truth = all.find(isFinishedTruth);
    if (!truth || task.media_id === null) return null;
    const mediaId = task.media_id;
    const { labels, basis } = basisOf(task);
    const pairs = comparedFrames(truth, media);
    const read = (jobId: number) => inPortions(annotations.readJobInPortions(reader, jobId), signal);
    const truthId = truth.id;
    const truthOn = divideByFrames(await read(truthId));

    async function compare(job: JobRow): Promise<Compared> {
      const shared = pairs.filter(({ frame }) => frame >= job.start_frame && frame <= job.stop_frame);
      if (shared.length === 0) return new Map();
      const ownOn = divideByFrames(await read(job.id));
      const countOn = ({ frame, truthFrame }: FramePair) => ownOn.countOn(frame) + truthOn.countOn(truthFrame);
      const jobOf = (some: readonly FramePair[]): CompareJob => ({
        labels,
        frames: some.map(({ frame }) => sizeOf(media.frame(mediaId, frame), frame)),
        truth: { jobId: truthId, data: truthFor(truthOn.of, some) },
        own: { jobId: job.id, data: ownOn.of(some.map(({ frame }) => frame)) },
        choices: basis.choices,
        requirements: basis.requirements.enabled,
      });
      return compareParts(
        workers,
        inParts(shared, countOn).map((some) => () => jobOf(some)),
        signal,
      );
    }

    const { included: own, excluded } = comparedJobs(jobs, task.id, basis.choices.job_filter);
    const compared = new Map<number, StoredReport>();
    const conflictsOf = new Map<number, StoredConflict[]>();
    for (const job of own) {
      const size = job.stop_frame - job.start_frame + 1;
      const frameResults = await compare(job);
      compared.set(job.id, jobReport(frameResults, size, basis));
      conflictsOf.set(job.id, conflictsOfFrames(frameResults));
      progress(compared.size / (own.length + 1), 'Comparing with the ground truth');
    }
    const report = taskReport(compared, basis, excluded);
    const place = { taskId: task.id, projectId: null, truthDate: truth.updated_date };
    return {
      report,
      insert(outerId, now) {
        const parentId = quality.insert(
          {
            ...place,
            parentId: outerId,
            jobId: null,
            targetDate: task.updated_date,
            assigneeId: task.assignee_id,
            report,
            conflicts: [],
          },
          now,
        );
        for (const job of own) {
          const ofJob = compared.get(job.id);
          if (!ofJob) continue;
          quality.insert(
            {
              ...place,
              parentId,
              jobId: job.id,
              targetDate: job.updated_date,
              assigneeId: job.assignee_id,
              report: ofJob,
              conflicts: conflictsOf.get(job.id) ?? [],
            },
            now,
          );
        }
        return parentId;
      },
    };
  }

  /**
   * The latest report of a task outside project reports, if nothing it depends on changed: the settings and the task,
   * labels, jobs and annotations, which all update a date.
   */
  function currentReport(task: TaskRow): ComparedTask | null {
    const latest = quality.latestOfTask(task.id);
    if (!latest || latest.parent_id !== null) return null;
    const report = JSON.parse(latest.data) as StoredReport;
    const all = jobs.ofTask(task.id);
    const { basis } = basisOf(task);
    const { included, excluded } = comparedJobs(jobs, task.id, basis.choices.job_filter);
    const own = new Map(included.map((job) => [job.id, job.updated_date]));
    const dates = quality.datesOfChildren(latest.id);
    const isCurrent =
      report.version === 2 &&
      latest.target_last_updated === task.updated_date &&
      latest.gt_last_updated === all.find(isFinishedTruth)?.updated_date &&
      dates.length === own.size &&
      JSON.stringify(report.jobs?.excluded ?? []) === JSON.stringify(excluded) &&
      dates.every(({ job_id: id, target_last_updated: date }) => own.get(id) === date) &&
      JSON.stringify(report.parameters) === JSON.stringify(jobReport(new Map(), 0, basis).parameters) &&
      hasSameRequirements(report, basis.requirements) &&
      JSON.stringify(report.labels) === JSON.stringify(basis.labels);
    if (!isCurrent) return null;
    return {
      report,
      insert(parentId) {
        quality.setParent(latest.id, parentId);
        return latest.id;
      },
    };
  }

  return { compareTask, currentReport };
}
