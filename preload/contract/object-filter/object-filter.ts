import type { FieldKind } from './filter-fields.ts';

export type FilterValue = string | number | boolean;

/** How many values each takes; null: any number, at least one. */
const relations = {
  is: 1,
  isNot: 1,
  anyOf: null,
  noneOf: null,
  below: 1,
  atMost: 1,
  above: 1,
  atLeast: 1,
  between: 2,
  contains: 1,
  containsNot: 1,
  isSet: 0,
  isNotSet: 0,
  /** So many days, up to now. */
  within: 1,
} as const;
export type Relation = keyof typeof relations;

export const relationsOf: Readonly<Record<FieldKind, readonly Relation[]>> = {
  choice: ['anyOf', 'noneOf', 'is', 'isNot', 'isSet', 'isNotSet'],
  number: ['below', 'atMost', 'above', 'atLeast', 'between', 'is', 'isNot', 'anyOf', 'noneOf', 'isSet', 'isNotSet'],
  boolean: ['is', 'isNot', 'isSet', 'isNotSet'],
  date: ['within', 'atLeast', 'below', 'between'],
  text: ['contains', 'containsNot', 'is', 'isNot', 'anyOf', 'noneOf', 'isSet', 'isNotSet'],
};

/**
 * A missing value is equal to nothing, takes part in no order, and what denies a relation holds for it: conditions are
 * true or false.
 */
export interface FilterRule {
  readonly kind: 'rule';
  readonly field: string;
  readonly relation: Relation;
  readonly values: readonly FilterValue[];
}

export const joins = ['all', 'any', 'none', 'notAll'] as const;
export type Join = (typeof joins)[number];

export interface FilterGroup {
  readonly kind: 'group';
  readonly join: Join;
  readonly of: readonly FilterCondition[];
}

export type FilterCondition = FilterRule | FilterGroup;

export const valueCount = (relation: Relation): number | null => relations[relation];

/** Whether a rule says all that it needs: one that is still being written does not take part. */
function isComplete({ relation, values }: FilterRule): boolean {
  const wanted = relations[relation];
  if (wanted === null) return values.length > 0;
  return values.length === wanted && values.every((value) => value !== '');
}

/** The filter without the rules that are still being written, and without groups that they leave empty. */
export function completed(group: FilterGroup): FilterGroup | null {
  const of = group.of.flatMap((condition): FilterCondition[] => {
    if (condition.kind === 'rule') return isComplete(condition) ? [condition] : [];
    const inner = completed(condition);
    return inner === null ? [] : [inner];
  });
  return of.length === 0 ? null : { ...group, of };
}

/** A sentence about what is wrong with a filter. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}
