import { usualChoices, type QualityChoices, type QualitySummary } from '../../../preload/contract/schema/quality.ts';
import { share } from '../../comparison/confusion.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { ConflictCounts } from './conflict-counts.ts';
import type { FoundConflict } from './found-conflict.ts';
import type { QualityCounts } from './quality-counts.ts';
import { noRequirements, requirementsSummary, type StoredRequirements } from './requirement-results.ts';

/** The saved choices, with defaults for the rest. */
export const choicesOf = (chosen: string): QualityChoices => ({
  ...usualChoices,
  // The service writes this JSON from values that its schema accepted.
  ...(JSON.parse(chosen) as Partial<QualityChoices>),
});

/** True for a completed ground-truth job. Only these are compared with. */
export const isFinishedTruth = ({ type, stage, state }: Pick<JobRow, 'type' | 'stage' | 'state'>): boolean =>
  type === 'ground_truth' && stage === 'acceptance' && state === 'completed';

export const unfinishedTruth =
  'Quality reports require a Ground Truth job in the task at the acceptance stage and in the completed state';

export interface JobIds {
  readonly all: readonly number[];
  readonly excluded: readonly number[];
  readonly not_checkable: readonly number[];
  /** Reach all enabled requirements. Absent in reports of earlier versions. */
  readonly completed?: readonly number[];
}

/** Ids of the tasks of a project: `custom` have their own settings, `not_configured` no completed ground truth. */
export interface TaskIds {
  readonly all: readonly number[];
  readonly custom: readonly number[];
  readonly not_configured: readonly number[];
  readonly excluded: readonly number[];
  /** Reach all enabled requirements. Absent in reports of earlier versions. */
  readonly completed?: readonly number[];
}

export interface StoredReport extends ConflictCounts {
  readonly version: 2;
  /** The choices that affect comparisons. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  readonly counts: QualityCounts;
  readonly total_frames: number;
  /** Compared frames; a frame of several jobs counts once for each. */
  readonly frame_count: number;
  /** Null for a project. */
  readonly frames: readonly number[] | null;
  readonly frame_results: Readonly<
    Record<string, { readonly conflicts: readonly FoundConflict[]; readonly counts: QualityCounts }>
  > | null;
  readonly jobs: JobIds | null;
  readonly tasks: TaskIds | null;
  /** Absent in reports of earlier versions. */
  readonly requirements?: StoredRequirements;
}

export const ratesOf = ({
  valid_count: valid,
  total_count: total,
  ds_count: objects,
  gt_count: truths,
}: QualityCounts['annotations']) => ({
  accuracy: share(valid, total),
  precision: share(valid, objects),
  recall: share(valid, truths),
});

const jobCounts = ({ all, excluded, not_checkable: unchecked, completed = [] }: JobIds) => ({
  total: all.length,
  excluded: excluded.length,
  not_checkable: unchecked.length,
  included: all.length - excluded.length,
  completed: completed.length,
});

const taskCounts = ({ all, custom, not_configured: bare, excluded, completed = [] }: TaskIds) => ({
  total: all.length,
  custom: custom.length,
  not_configured: bare.length,
  excluded: excluded.length,
  included: all.length - custom.length - bare.length - excluded.length,
  completed: completed.length,
});

/** Summary for lists of reports. Omits tasks and jobs if they do not apply. */
export function summaryOf(report: StoredReport): QualitySummary {
  const { total_frames: total, frame_count: frames, counts, jobs, tasks, requirements = noRequirements } = report;
  const { valid_count, ds_count, gt_count, total_count } = counts.annotations;
  const frameShare = share(frames, total);
  return {
    total_frames: total,
    validation_frames: frames,
    validation_frame_share: frameShare,
    frame_count: frames,
    frame_share: frameShare,
    conflict_count: report.conflict_count,
    warning_count: report.warning_count,
    error_count: report.error_count,
    conflicts_by_type: report.conflicts_by_type,
    valid_count,
    ds_count,
    gt_count,
    total_count,
    ...ratesOf(counts.annotations),
    tasks: tasks === null ? undefined : taskCounts(tasks),
    jobs: jobs === null ? undefined : jobCounts(jobs),
    requirements: requirementsSummary(requirements),
    requirement_conflicts: {
      conflict_count: requirements.conflicts.conflict_count,
      error_count: requirements.conflicts.error_count,
      conflicts_by_type: requirements.conflicts.conflicts_by_type,
    },
  };
}

const annotationTypes = ['bbox', 'points', 'mask', 'polygon', 'polyline', 'skeleton', 'label', 'ellipse'];

/** @param inherited whether a task goes by the settings of its project */
export function parametersOf(choices: QualityChoices, inherited: boolean): Readonly<Record<string, unknown>> {
  const {
    target_metric: _metric,
    target_metric_threshold: _threshold,
    max_validations_per_job: _attempts,
    ...compared
  } = choices;
  return {
    included_annotation_types: annotationTypes,
    ...compared,
    ignored_attributes: [],
    inherited,
  };
}
