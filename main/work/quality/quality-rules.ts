import { usualChoices, type QualityChoices, type QualitySummary } from '../../../preload/contract/schema/quality.ts';
import type { JobRepository } from '../jobs/job-repository.ts';
import type { TaskRow } from '../tasks/task-repository.ts';
import type { FoundConflict, FrameComparison, FrameCounts } from './compare-frame.ts';
import type { QualityRepository } from './quality-repository.ts';

export type Compared = ReadonlyMap<number, FrameComparison>;

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

/** Of a task or a job. */
export function summaryOf(compared: readonly FrameComparison[], totalFrames: number, frames: number) {
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

/** All that is kept of a report for whoever takes it whole. */
export function dataOf(choices: QualityChoices, summary: QualitySummary, compared: Compared) {
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

/** How a task takes part in the report of its project. */
export function stateInProject(
  { id, project_id, media_id: mediaId }: Pick<TaskRow, 'id' | 'project_id' | 'media_id'>,
  {
    quality,
    jobs,
    now,
  }: {
    readonly quality: Pick<QualityRepository, 'settingsOf'>;
    readonly jobs: Pick<JobRepository, 'ofTask'>;
    readonly now: string;
  },
): 'included' | 'custom' | 'not_configured' {
  if (project_id === null || mediaId === null) return 'not_configured';
  if (!jobs.ofTask(id).some(({ type }) => type === 'ground_truth')) return 'not_configured';
  return quality.settingsOf(id, now).inherit === 1 ? 'included' : 'custom';
}

/** Tasks as one. */
export function sumOfSummaries(all: readonly QualitySummary[]): Omit<QualitySummary, 'tasks'> {
  const sum = (of: (one: QualitySummary) => number): number => all.reduce((total, one) => total + of(one), 0);
  const kinds: Record<string, number> = {};
  for (const { conflicts_by_type: counts } of all) {
    for (const [type, count] of Object.entries(counts)) kinds[type] = (kinds[type] ?? 0) + count;
  }
  const [total, frames] = [sum((one) => one.total_frames), sum((one) => one.validation_frames)];
  return {
    total_frames: total,
    validation_frames: frames,
    validation_frame_share: share(frames, total),
    conflict_count: sum((one) => one.conflict_count),
    warning_count: sum((one) => one.warning_count),
    error_count: sum((one) => one.error_count),
    conflicts_by_type: kinds,
    ...ratesOf({
      valid: sum((one) => one.valid_count),
      objects: sum((one) => one.ds_count),
      truths: sum((one) => one.gt_count),
      total: sum((one) => one.total_count),
    }),
    jobs: {
      total: sum((one) => one.jobs?.total ?? 0),
      excluded: sum((one) => one.jobs?.excluded ?? 0),
      not_checkable: sum((one) => one.jobs?.not_checkable ?? 0),
      included: sum((one) => one.jobs?.included ?? 0),
    },
  };
}
