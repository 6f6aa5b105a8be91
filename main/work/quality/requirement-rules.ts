import type { AttributeComparison, InheritedSettings } from '../../../preload/contract/schema/quality-requirements.ts';
import type { RequirementType, TargetMetric } from '../../../preload/contract/schema/quality-requirements.ts';
import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import type { RequirementRow } from './requirement-repository.ts';

/** Names of a requirement's settings in CVAT 2.73, where a task or project has only one set of them. */
const choiceNames = {
  metric: 'target_metric',
  required_score: 'target_metric_threshold',
  iou_threshold: 'iou_threshold',
  point_size: 'oks_sigma',
  point_size_base: 'point_size_base',
  line_thickness: 'line_thickness',
  match_orientation: 'compare_line_orientation',
  line_orientation_threshold: 'line_orientation_threshold',
  match_groups: 'compare_groups',
  group_match_threshold: 'group_match_threshold',
  check_covered_annotations: 'check_covered_annotations',
  object_visibility_threshold: 'object_visibility_threshold',
  panoptic_comparison: 'panoptic_comparison',
} as const satisfies Partial<Record<keyof InheritedSettings, keyof QualityChoices>>;
type SettingName = keyof typeof choiceNames;
export const settingNames = Object.keys(choiceNames) as SettingName[];

type Values = Partial<Record<keyof InheritedSettings, unknown>>;
const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

/** Converts settings of a requirement to the names of 2.73; values that are inherited are left out. */
export const choicesOfRequirement = (values: Values): Partial<QualityChoices> =>
  Object.fromEntries(
    settingNames.flatMap((name) => (isGiven(values[name]) ? [[choiceNames[name], values[name]] as const] : [])),
  );

export const settingsOfChoices = (choices: QualityChoices): Pick<InheritedSettings, SettingName> =>
  // The table names a setting of the same type.
  Object.fromEntries(settingNames.map((name) => [name, choices[choiceNames[name]]])) as Pick<
    InheritedSettings,
    SettingName
  >;

const noComparison: AttributeComparison = {
  default: { enabled: null, comparator: null, threshold: null },
  rules: [],
};

/** The settings that a requirement does not inherit. */
export interface OwnSettings extends Partial<Pick<InheritedSettings, SettingName>> {
  readonly attribute_comparison?: AttributeComparison | null;
}
// The service writes this JSON from values that its schema accepted.
export const ownSettings = ({ chosen }: Pick<RequirementRow, 'chosen'>): OwnSettings =>
  JSON.parse(chosen) as OwnSettings;

export interface EffectiveRequirement {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  /** Filters of the requirement and those above it, as JSON Logic; an object has to pass all. */
  readonly filters: readonly string[];
  /** Null: all types. */
  readonly type: RequirementType | null;
  readonly choices: QualityChoices;
  readonly attributes: AttributeComparison;
}

/** Combines the comparison of attributes of a requirement with that of its parent. A rule replaces the parent's rule. */
function mergedComparison(parent: AttributeComparison, own: AttributeComparison): AttributeComparison {
  const rules = new Map([...parent.rules, ...own.rules].map((rule) => [rule.spec_id, rule]));
  return {
    default: {
      enabled: own.default.enabled ?? parent.default.enabled,
      comparator: own.default.comparator ?? parent.default.comparator,
      threshold: own.default.threshold ?? parent.default.threshold,
    },
    rules: [...rules.values()],
  };
}

export const storedComparison = (row: Pick<RequirementRow, 'chosen'>): AttributeComparison =>
  ownSettings(row).attribute_comparison ?? noComparison;

/** The comparison of attributes of a base requirement. Its switch is the setting `compare_attributes`. */
export function baseComparison(row: Pick<RequirementRow, 'chosen'>, choices: QualityChoices): AttributeComparison {
  const { default: usual, rules } = storedComparison(row);
  return { default: { ...usual, enabled: choices.compare_attributes }, rules };
}

/**
 * Requirements of some settings with everything that they inherit: depth first, siblings by `sort_order` and id.
 * Those without a parent are below the base requirement.
 */
export function effectiveRequirements(
  rows: readonly RequirementRow[],
  choices: QualityChoices,
): EffectiveRequirement[] {
  const base = rows.find((row) => row.is_base === 1);
  if (!base) return [];
  const children = Map.groupBy(
    rows.filter((row) => row !== base),
    (row) => row.parent_id ?? base.id,
  );
  const found: EffectiveRequirement[] = [];
  const visit = (row: RequirementRow, parent: EffectiveRequirement | null): void => {
    const type = (row.annotation_type || null) as RequirementType | null;
    const effective: EffectiveRequirement = {
      id: row.id,
      name: row.name,
      enabled: row.enabled === 1,
      filters: [...(parent?.filters ?? []), ...(row.filter.trim() === '' ? [] : [row.filter])],
      type: type ?? parent?.type ?? null,
      choices: parent === null ? choices : { ...parent.choices, ...choicesOfRequirement(ownSettings(row)) },
      attributes:
        parent === null ? baseComparison(row, choices) : mergedComparison(parent.attributes, storedComparison(row)),
    };
    found.push(effective);
    const below = children.get(row.id) ?? [];
    for (const child of below.toSorted((a, b) => a.sort_order - b.sort_order || a.id - b.id)) visit(child, effective);
  };
  visit(base, null);
  return found;
}

export const metricOf = ({ choices }: EffectiveRequirement): TargetMetric => choices.target_metric;

/** All filters as one, as CVAT shows it. */
function combinedFilter(filters: readonly string[]): string {
  if (filters.length <= 1) return filters[0] ?? '';
  return JSON.stringify({ and: filters.map((filter) => JSON.parse(filter) as unknown) });
}

/** Parameters of a requirement with the names of the API. */
export const effectiveParameters = (effective: EffectiveRequirement): Readonly<Record<string, unknown>> => ({
  annotation_type: effective.type,
  filter: combinedFilter(effective.filters),
  ...settingsOfChoices(effective.choices),
  attribute_comparison: effective.attributes,
});
