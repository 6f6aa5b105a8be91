import { filterFields } from '../../../preload/contract/object-filter/filter-fields.ts';
import { readFilter } from '../../../preload/contract/object-filter/filter-logic.ts';
import { FilterError } from '../../../preload/contract/object-filter/object-filter.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type {
  AttributeComparison,
  AttributeComparisonWrite,
  RequirementPatch,
  RequirementTree,
} from '../../../preload/contract/schema/quality-requirements.ts';
import { invalidField } from '../../platform/errors.ts';
import { labelOwner } from '../tables/label-repository.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import type { SettingsRow } from './quality-repository.ts';
import type { RequirementRepository, RequirementRow, RequirementValues } from './requirement-repository.ts';
import { choicesOfRequirement, ownSettings, settingNames } from './requirement-rules.ts';

export interface RequirementWriterDependencies extends Pick<WorkServiceDependencies, 'clock' | 'tasks' | 'labelRows'> {
  readonly requirements: RequirementRepository;
  /** Changes choices of the settings, which ends their inheritance. */
  readonly choose: (row: SettingsRow, chosen: ReturnType<typeof choicesOfRequirement>) => void;
}

const emptyRequirement = {
  parent_id: null,
  is_base: 0,
  sort_order: 0,
  filter: '',
  enabled: 1,
  annotation_type: null,
  chosen: '{}',
} as const;

function writtenComparison(sent: AttributeComparisonWrite): AttributeComparison {
  const { enabled = null, comparator = null, threshold = null } = sent.default ?? {};
  return {
    default: { enabled, comparator, threshold },
    rules: (sent.rules ?? []).map((rule) => ({
      spec_id: rule.spec_id,
      enabled: rule.enabled,
      comparator: rule.comparator ?? null,
      threshold: rule.threshold ?? null,
    })),
  };
}

/** @throws AppError 400 for a filter that cannot be parsed or has names that the labels do not have */
function checkFilter(filter: string, labels: readonly Label[]): void {
  if (filter.trim() === '') return;
  try {
    readFilter(JSON.parse(filter), filterFields(labels));
  } catch (error) {
    if (error instanceof FilterError || error instanceof SyntaxError) throw invalidField('filter', error.message);
    throw error;
  }
}

function checkRules(comparison: AttributeComparison | null, labels: readonly Label[]): void {
  const known = new Set(
    labels.flatMap((label) => [label, ...label.sublabels]).flatMap(({ attributes }) => attributes.map(({ id }) => id)),
  );
  const unknown = comparison?.rules.find(({ spec_id: id }) => !known.has(id));
  if (unknown)
    throw invalidField('attribute_comparison', `No attribute with the id ${unknown.spec_id}. Use an id of the labels.`);
}

/** @throws AppError 400 for a parent in other settings or below the requirement */
function checkParent(parentId: number | null, rows: readonly RequirementRow[], self: RequirementRow | null): void {
  if (parentId === null) return;
  if (self?.is_base === 1) throw invalidField('parent_requirement', 'The base requirement has no parent.');
  const byId = new Map(rows.map((row) => [row.id, row]));
  let above = byId.get(parentId);
  if (!above) throw invalidField('parent_requirement', `No requirement ${parentId} in these settings.`);
  for (; above; above = above.parent_id === null ? undefined : byId.get(above.parent_id))
    if (above.id === self?.id)
      throw invalidField('parent_requirement', 'A requirement cannot be below itself. Choose another parent.');
}

/** Checks and stores requirements. */
export function createRequirementWriter({
  requirements,
  choose,
  clock,
  tasks,
  labelRows,
}: RequirementWriterDependencies) {
  const labelsOf = ({ task_id: taskId, project_id: projectId }: SettingsRow): Label[] => {
    const task = taskId === null ? undefined : tasks.get(taskId);
    return labelRows.list(labelOwner(task === undefined ? projectId : task.project_id, taskId ?? 0));
  };

  function save(
    settings: SettingsRow,
    sent: RequirementPatch & { readonly name?: string },
    self: RequirementRow | null,
  ) {
    const rows = requirements.ofSettings(settings.id);
    const isBase = self?.is_base === 1;
    if (sent.settings_id !== undefined && sent.settings_id !== settings.id)
      throw invalidField('settings_id', 'A requirement cannot be moved to other settings. Create it there.');
    const name = sent.name ?? self?.name ?? '';
    if (rows.some((row) => row.name === name && row.id !== self?.id))
      throw invalidField('name', `These settings already have a requirement "${name}". Choose another name.`);
    if (sent.parent_requirement !== undefined) checkParent(sent.parent_requirement, rows, self);
    const labels = labelsOf(settings);
    if (sent.filter !== undefined) checkFilter(sent.filter, labels);
    const comparison = sent.attribute_comparison && writtenComparison(sent.attribute_comparison);
    checkRules(comparison ?? null, labels);
    const given = settingNames.filter((key) => sent[key] !== undefined);
    const missing = isBase ? given.find((key) => sent[key] === null || sent[key] === '') : undefined;
    if (missing !== undefined)
      throw invalidField(
        missing,
        'The base requirement inherits from no other. Enter a value, or leave the field out.',
      );
    const local = {
      ...(self === null ? {} : ownSettings(self)),
      ...(isBase ? {} : Object.fromEntries(given.map((key) => [key, sent[key]]))),
      ...(comparison !== undefined && { attribute_comparison: comparison }),
    };
    const before = self ?? { ...emptyRequirement, settings_id: settings.id };
    const values: RequirementValues = {
      settings_id: settings.id,
      is_base: before.is_base,
      parent_id: sent.parent_requirement === undefined ? before.parent_id : sent.parent_requirement,
      name,
      sort_order: sent.sort_order ?? before.sort_order,
      filter: sent.filter ?? before.filter,
      enabled: Number(sent.enabled ?? before.enabled === 1) as 0 | 1,
      annotation_type: sent.annotation_type === undefined ? before.annotation_type : sent.annotation_type,
      chosen: JSON.stringify(local),
    };
    const switched = comparison?.default.enabled ?? null;
    const chosen = isBase
      ? { ...choicesOfRequirement(sent), ...(switched !== null && { compare_attributes: switched }) }
      : {};
    choose(settings, chosen);
    if (self === null) return requirements.insert(values, clock());
    requirements.update(values, self.id, clock());
    return self.id;
  }

  function addTree(settings: SettingsRow, tree: RequirementTree, parentId: number | null): number[] {
    const { children = [], ...sent } = tree;
    if (parentId !== null && typeof sent.parent_requirement === 'number')
      throw invalidField(
        'parent_requirement',
        'A requirement below another has it as its parent. Leave the field out.',
      );
    const id = save(settings, { ...sent, ...(parentId !== null && { parent_requirement: parentId }) }, null);
    return [id, ...children.flatMap((child) => addTree(settings, child, id))];
  }

  return { save, addTree };
}
