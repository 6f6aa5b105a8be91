import type { FilterField } from '../../../../preload/contract/object-filter/filter-fields.ts';
import { jobStages, jobStates } from '../../../../preload/contract/schema/resources.ts';
import type en from '../../../i18n/en.json';
import { readFilter, writeFilter } from '../../../../preload/contract/object-filter/filter-logic.ts';
import {
  completed,
  FilterError,
  type FilterCondition,
  type FilterGroup,
  type FilterRule,
} from '../../../../preload/contract/object-filter/object-filter.ts';

export type ListFieldName = keyof typeof en.lists.fields;

export interface ListField extends FilterField {
  readonly name: ListFieldName;
  readonly isPerson?: boolean;
}

const statuses = ['annotation', 'validation', 'completed'] as const;
const person = (name: 'assignee' | 'owner'): ListField => ({ name, kind: 'choice', isPerson: true });
const changed: ListField = { name: 'updated_date', kind: 'date' };
const created: ListField = { name: 'created_date', kind: 'date' };
const mode: ListField = { name: 'mode', kind: 'choice', values: ['annotation', 'interpolation'] };

export const projectFields: readonly ListField[] = [
  { name: 'name', kind: 'text' },
  { name: 'status', kind: 'choice', values: statuses },
  person('assignee'),
  person('owner'),
  changed,
  created,
  { name: 'id', kind: 'number' },
];

export const taskFields: readonly ListField[] = [
  { name: 'status', kind: 'choice', values: statuses },
  { name: 'name', kind: 'text' },
  { name: 'project_name', kind: 'text' },
  { name: 'subset', kind: 'text' },
  person('assignee'),
  person('owner'),
  mode,
  changed,
  created,
  { name: 'tracker_link', kind: 'text' },
  { name: 'project_id', kind: 'number' },
  { name: 'id', kind: 'number' },
];

export const jobFields: readonly ListField[] = [
  { name: 'state', kind: 'choice', values: jobStates },
  { name: 'stage', kind: 'choice', values: jobStages },
  person('assignee'),
  { name: 'task_name', kind: 'text' },
  { name: 'project_name', kind: 'text' },
  { name: 'type', kind: 'choice', values: ['annotation', 'ground_truth', 'consensus_replica'] },
  mode,
  changed,
  { name: 'task_id', kind: 'number' },
  { name: 'project_id', kind: 'number' },
  { name: 'id', kind: 'number' },
];

export const requestFields: readonly ListField[] = [
  { name: 'status', kind: 'choice', values: ['queued', 'started', 'failed', 'finished'] },
  { name: 'action', kind: 'choice', values: ['create', 'import', 'export', 'autoannotate', 'merge'] },
  { name: 'target', kind: 'choice', values: ['project', 'task', 'job'] },
  { name: 'format', kind: 'text' },
  created,
  { name: 'project_id', kind: 'number' },
  { name: 'task_id', kind: 'number' },
  { name: 'job_id', kind: 'number' },
];

export const webhookFields: readonly ListField[] = [
  { name: 'target_url', kind: 'text' },
  { name: 'description', kind: 'text' },
  { name: 'type', kind: 'choice', values: ['project', 'organization'] },
  person('owner'),
  changed,
  { name: 'project_id', kind: 'number' },
];

export const noConditions: FilterGroup = { kind: 'group', join: 'all', of: [] };

const fieldMap = (fields: readonly FilterField[]): ReadonlyMap<string, FilterField> =>
  new Map(fields.map((field) => [field.name, field]));

/** Parses a filter into conditions; null if it exceeds the form, in which case it is sent unchanged. */
export function conditionsOf(filter: string | undefined, fields: readonly FilterField[]): FilterGroup | null {
  if (filter === undefined || filter === '') return noConditions;
  try {
    return readFilter(JSON.parse(filter), fieldMap(fields));
  } catch (error) {
    if (error instanceof FilterError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Filter for the address, complete conditions only; undefined if there are none. */
export function filterText(group: FilterGroup): string | undefined {
  const whole = completed(group);
  return whole === null ? undefined : JSON.stringify(writeFilter(whole));
}

/** Without the time of day, so that consecutive queries are equal. */
const midnight = (date: Date, days: number): string =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).toISOString();

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
/** Days are in the local time zone. */
const asMoment = (value: unknown, days = 0): string =>
  isDay(value) ? midnight(new Date(`${value}T00:00`), days) : String(value);

function inMoments(rule: FilterRule, now: Date): FilterRule {
  const [first, last] = rule.values;
  switch (rule.relation) {
    case 'within':
      return { ...rule, relation: 'atLeast', values: [midnight(now, -Number(first))] };
    case 'between':
      // The range includes the last day.
      return { ...rule, values: [asMoment(first), asMoment(last, 1)] };
    default:
      return { ...rule, values: rule.values.map((value) => asMoment(value)) };
  }
}

export function askedFilter(
  filter: string | undefined,
  fields: readonly ListField[],
  now = new Date(),
): string | undefined {
  const group = conditionsOf(filter, fields);
  if (group === null) return filter;
  const known = fieldMap(fields);
  const absolute = (condition: FilterCondition): FilterCondition => {
    if (condition.kind === 'group') return { ...condition, of: condition.of.map(absolute) };
    return known.get(condition.field)?.kind === 'date' ? inMoments(condition, now) : condition;
  };
  const whole = completed(group);
  // A converted group is a group.
  return whole === null ? undefined : JSON.stringify(writeFilter({ ...whole, of: whole.of.map(absolute) }));
}

export const filterOf = (equals: Readonly<Record<string, string | number | undefined>>): string | undefined => {
  const of = Object.entries(equals).flatMap(([field, value]): FilterRule[] =>
    value === undefined || value === '' ? [] : [{ kind: 'rule', field, relation: 'is', values: [value] }],
  );
  return filterText({ ...noConditions, of });
};
