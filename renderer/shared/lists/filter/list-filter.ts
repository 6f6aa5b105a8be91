import type { FilterField } from '../../../../preload/contract/object-filter/filter-fields.ts';
import { readFilter, writeFilter } from '../../../../preload/contract/object-filter/filter-logic.ts';
import {
  completed,
  FilterError,
  type FilterCondition,
  type FilterGroup,
  type FilterRule,
} from '../../../../preload/contract/object-filter/object-filter.ts';
import type { ListField } from './list-fields.ts';

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
