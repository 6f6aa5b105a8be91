import type {
  RequirementCalculation,
  RequirementsSummary,
  TargetMetric,
} from '../../../preload/contract/schema/quality-requirements.ts';
import type { ComparedLabel } from '../../comparison/compared-object.ts';
import { matrixLabels, type RequirementComparison } from './compare-requirement.ts';
import type { FoundConflict } from './found-conflict.ts';
import { joined, type MatrixCells } from './quality-counts.ts';
import { countConflicts, summedConflicts, type ConflictCounts } from './conflict-counts.ts';
import { effectiveParameters, metricOf, type EffectiveRequirement } from './requirement-rules.ts';
import { countsOfCells, scoreOf } from './target-metric.ts';

/** A conflict with the comparison that found it: by the settings (2.73), by requirements (2.80), or by both. */
export interface StoredConflict extends FoundConflict {
  readonly bySettings: boolean;
  readonly byRequirements: boolean;
}

/** Result of an enabled requirement in a report. */
export interface StoredRequirement {
  readonly id: number;
  readonly name: string;
  readonly metric: TargetMetric;
  readonly threshold: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  readonly cells: MatrixCells;
  readonly calculation: RequirementCalculation;
  readonly conflicts: ConflictCounts;
}

export interface StoredRequirements {
  /** Number of requirements, with those that are disabled. */
  readonly total: number;
  readonly results: readonly StoredRequirement[];
  readonly conflicts: ConflictCounts;
}

/** Requirements of a report: the enabled ones are compared. */
export interface RequirementBasis {
  readonly total: number;
  readonly enabled: readonly EffectiveRequirement[];
  readonly labels: readonly ComparedLabel[];
}

const keyOf = ({ frame, type, annotation_ids: ids }: FoundConflict): string =>
  [frame, type, ...ids.map((id) => `${id.type} ${id.obj_id} ${id.job_id}`)].join('|');

/** Several requirements may find the same conflict. */
function unique(conflicts: readonly FoundConflict[]): ReadonlyMap<string, FoundConflict> {
  const found = new Map<string, FoundConflict>();
  for (const conflict of conflicts) {
    const before = found.get(keyOf(conflict))?.attribute_names ?? [];
    const names = [...new Set([...before, ...(conflict.attribute_names ?? [])])].toSorted();
    found.set(keyOf(conflict), { ...conflict, attribute_names: names });
  }
  return found;
}

export function mergedConflicts(
  ofSettings: readonly FoundConflict[],
  ofRequirements: readonly FoundConflict[],
): StoredConflict[] {
  const found = unique(ofRequirements);
  const known = new Set(ofSettings.map(keyOf));
  return [
    ...ofSettings.map((conflict) => {
      const same = found.get(keyOf(conflict));
      const names = same?.attribute_names ?? [];
      return { ...conflict, attribute_names: names, bySettings: true, byRequirements: same !== undefined };
    }),
    ...[...found].flatMap(([key, conflict]) =>
      known.has(key) ? [] : [{ ...conflict, bySettings: false, byRequirements: true }],
    ),
  ];
}

const ranks = [null, 'required_attributes_missing', 'filter_no_matches', 'no_annotations'] as const;
const rankOf = ({ reason }: RequirementCalculation): number => ranks.indexOf(reason);

/** A requirement is computed if it is computed anywhere. Otherwise the reason that is nearest to it is given. */
const bestCalculation = (all: readonly RequirementCalculation[]): RequirementCalculation =>
  all.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? { status: 'not_computed', reason: 'no_annotations' };

interface Part {
  readonly cells: MatrixCells;
  readonly calculation: RequirementCalculation;
}

const labelNames = (requirement: EffectiveRequirement, labels: readonly ComparedLabel[]): string[] =>
  matrixLabels(requirement.type, labels).map(({ name }) => name);

const resultOf = (
  requirement: EffectiveRequirement,
  labels: readonly ComparedLabel[],
  parts: readonly Part[],
  conflicts: ConflictCounts,
): StoredRequirement => ({
  id: requirement.id,
  name: requirement.name,
  metric: metricOf(requirement),
  threshold: requirement.choices.target_metric_threshold,
  parameters: effectiveParameters(requirement),
  labels: labelNames(requirement, labels),
  cells: joined(parts.flatMap(({ cells }) => cells)),
  calculation: bestCalculation(parts.map(({ calculation }) => calculation)),
  conflicts,
});

/** Results of a job from those of its frames. */
export function requirementsOfJob(
  frames: readonly (readonly RequirementComparison[])[],
  { total, enabled, labels }: RequirementBasis,
): StoredRequirements {
  const results = enabled.map((requirement, at) => {
    const parts = frames.flatMap((frame) => frame[at] ?? []);
    return resultOf(requirement, labels, parts, countConflicts(parts.flatMap(({ conflicts }) => conflicts)));
  });
  const all = frames.flatMap((frame) => frame.flatMap(({ conflicts }) => conflicts));
  return { total, results, conflicts: countConflicts([...unique(all).values()]) };
}

/** Results of a task from those of its jobs, or of a project from those of its tasks. */
export function requirementsOfAll(
  reports: readonly StoredRequirements[],
  { total, enabled, labels }: RequirementBasis,
): StoredRequirements {
  const results = enabled.map((requirement) => {
    const parts = reports.flatMap((report) => report.results.filter(({ id }) => id === requirement.id));
    return resultOf(requirement, labels, parts, summedConflicts(parts.map(({ conflicts }) => conflicts)));
  });
  return { total, results, conflicts: summedConflicts(reports.map(({ conflicts }) => conflicts)) };
}

export const isComputed = ({ calculation }: StoredRequirement): boolean => calculation.status === 'computed';

function requirementScore(result: StoredRequirement): number | null {
  return isComputed(result) ? scoreOf(result.cells, result.labels, result.metric) : null;
}

const scoreComponents = ({ cells, labels }: StoredRequirement) => {
  const { valid_count, missing_count, extra_count } = countsOfCells(cells, labels.length);
  return { valid_count, missing_count, extra_count };
};

/** True if the score is high enough, or, like in CVAT, if there is nothing to compare, and so no score. */
const isCompleted = (result: StoredRequirement): boolean => {
  const score = requirementScore(result);
  return score === null || score >= result.threshold;
};

export const areCompleted = ({ results }: StoredRequirements): boolean => results.every(isCompleted);

export const requirementsSummary = ({ total, results }: StoredRequirements): RequirementsSummary => ({
  total,
  enabled: results.length,
  completed: results.filter(isCompleted).length,
  not_computed: results.filter((result) => !isComputed(result)).length,
  items: results.map((result) => ({
    requirement_id: result.id,
    name: result.name,
    metric: result.metric,
    score: requirementScore(result),
    score_components: scoreComponents(result),
    calculation: result.calculation,
    threshold: result.threshold,
  })),
});

/** Reports of earlier versions have no requirements. */
export const noRequirements: StoredRequirements = {
  total: 0,
  results: [],
  conflicts: { conflict_count: 0, warning_count: 0, error_count: 0, conflicts_by_type: {} },
};

/** Results of the requirements in a report's data, by name. */
export const requirementsData = ({ results }: StoredRequirements): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    results.map((result) => [
      result.name,
      {
        parameters: {
          requirement_id: result.id,
          name: result.name,
          enabled: true,
          ...result.parameters,
          metric: result.metric,
          required_score: result.threshold,
        },
        comparison_summary: {
          conflict_count: result.conflicts.conflict_count,
          error_count: result.conflicts.error_count,
          conflicts_by_type: result.conflicts.conflicts_by_type,
          score: requirementScore(result),
          score_components: scoreComponents(result),
          calculation: result.calculation,
        },
      },
    ]),
  );
