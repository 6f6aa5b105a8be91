import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import { share } from '../../comparison/confusion.ts';
import type { FrameComparison } from './compare-frame.ts';
import { countsOfJob, sumOfCounts } from './quality-counts.ts';
import { countConflicts, summedConflicts } from './conflict-counts.ts';
import {
  areCompleted,
  noRequirements,
  requirementsOfAll,
  requirementsOfJob,
  type RequirementBasis,
} from './requirement-results.ts';
import { parametersOf, type JobIds, type StoredReport, type TaskIds } from './quality-rules.ts';

export type Compared = ReadonlyMap<number, FrameComparison>;

interface Basis {
  readonly choices: QualityChoices;
  readonly inherited: boolean;
  readonly labels: readonly string[];
  readonly requirements: RequirementBasis;
}

const basisOf = ({ choices, inherited, labels }: Basis) =>
  ({ version: 2, parameters: parametersOf(choices, inherited), labels }) as const;

const ascending = (frames: Iterable<number>): number[] => [...frames].toSorted((a, b) => a - b);

export function jobReport(compared: Compared, totalFrames: number, basis: Basis): StoredReport {
  const all = [...compared.values()];
  const counts = countsOfJob(
    all.map((one) => one.counts),
    basis.labels.length,
    basis.choices.empty_is_annotated,
  );
  return {
    ...basisOf(basis),
    ...countConflicts(all.flatMap(({ conflicts }) => conflicts)),
    counts,
    total_frames: totalFrames,
    frame_count: compared.size,
    frames: ascending(compared.keys()),
    frame_results: Object.fromEntries(
      [...compared].map(([frame, { conflicts, counts: ofFrame }]) => [frame, { conflicts, counts: ofFrame }]),
    ),
    jobs: null,
    tasks: null,
    requirements: requirementsOfJob(
      all.map(({ requirements }) => requirements),
      basis.requirements,
    ),
  };
}

/** Report of a task from those of its jobs. A frame of several jobs counts once for each. */
export function taskReport(
  jobs: ReadonlyMap<number, StoredReport>,
  basis: Basis,
  excluded: readonly number[] = [],
): StoredReport {
  const reports = [...jobs.values()];
  const checked = reports.filter(({ frame_count: frames }) => frames > 0);
  const frames = ascending(new Set(reports.flatMap((one) => one.frames ?? [])));
  const isReached = ({ frame_count: count, requirements }: StoredReport): boolean =>
    count > 0 && requirements !== undefined && areCompleted(requirements);
  const ids: JobIds = {
    completed: [...jobs].flatMap(([id, one]) => (isReached(one) ? [id] : [])),
    all: [...jobs.keys(), ...excluded].sort((a, b) => a - b),
    excluded,
    not_checkable: [...jobs].flatMap(([id, { frame_count: count }]) => (count === 0 ? [id] : [])),
  };
  return {
    ...basisOf(basis),
    ...summedConflicts(reports),
    counts: sumOfCounts(checked.map(({ counts }) => counts)),
    total_frames: reports.reduce((sum, one) => sum + one.total_frames, 0),
    frame_count: reports.reduce((sum, one) => sum + one.frame_count, 0),
    frames,
    frame_results: Object.fromEntries(
      frames.map((frame) => {
        const results = checked.flatMap((one) => one.frame_results?.[frame] ?? []);
        return [
          frame,
          {
            conflicts: results.flatMap(({ conflicts }) => conflicts),
            counts: sumOfCounts(results.map(({ counts }) => counts)),
          },
        ];
      }),
    ),
    jobs: ids,
    tasks: null,
    requirements: requirementsOfAll(
      checked.map(({ requirements = noRequirements }) => requirements),
      basis.requirements,
    ),
  };
}

/**
 * Report of a project from those of its tasks. The counts of each task are extrapolated from its compared frames to all
 * of its frames.
 */
export function projectReport(
  taskIds: readonly number[],
  reports: ReadonlyMap<number, StoredReport>,
  basis: Basis,
): StoredReport {
  const isCustom = ({ parameters }: StoredReport): boolean => parameters['inherited'] !== true;
  const hasJobs = ({ jobs }: StoredReport): boolean => jobs !== null && jobs.all.length > jobs.excluded.length;
  const idsOf = (isIn: (report: StoredReport) => boolean): number[] =>
    [...reports].flatMap(([id, report]) => (isIn(report) ? [id] : []));
  const tasks: TaskIds = {
    all: taskIds,
    custom: idsOf(isCustom),
    not_configured: taskIds.filter((id) => !reports.has(id)),
    excluded: idsOf((report) => !isCustom(report) && !hasJobs(report)),
  };
  const isIncluded = (report: StoredReport): boolean => !isCustom(report) && hasJobs(report);
  const included = [...reports.values()].filter(isIncluded);
  const jobIds = (of: keyof JobIds): number[] => included.flatMap(({ jobs }) => jobs?.[of] ?? []);
  const counts = sumOfCounts(
    included.map((one) => one.counts),
    (index) => 1 / (share(included[index]?.frame_count ?? 0, included[index]?.total_frames ?? 0) || 1),
  );
  return {
    ...basisOf(basis),
    ...summedConflicts(included),
    counts,
    total_frames: included.reduce((sum, one) => sum + one.total_frames, 0),
    frame_count: included.reduce((sum, one) => sum + one.frame_count, 0),
    frames: null,
    frame_results: null,
    jobs: {
      all: jobIds('all'),
      excluded: jobIds('excluded'),
      not_checkable: jobIds('not_checkable'),
      completed: jobIds('completed'),
    },
    tasks: {
      ...tasks,
      completed: idsOf(
        (report) => isIncluded(report) && report.requirements !== undefined && areCompleted(report.requirements),
      ),
    },
    requirements: requirementsOfAll(
      included.map(({ requirements = noRequirements }) => requirements),
      basis.requirements,
    ),
  };
}
