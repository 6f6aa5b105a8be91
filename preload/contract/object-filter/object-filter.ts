import type { FieldKind } from './filter-fields.ts';

export type FilterValue = string | number | boolean;

/** Number of values; null means one or more. */
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

/** A missing value equals nothing and is not comparable, and negated relations are true for it. */
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

/** True if a rule has all its values. Rules that the user is still writing are ignored. */
function isComplete({ relation, values }: FilterRule): boolean {
  const wanted = relations[relation];
  if (wanted === null) return values.length > 0;
  return values.length === wanted && values.every((value) => value !== '');
}

/** The filter without incomplete rules, and without groups that are empty as a result. */
export function completed(group: FilterGroup): FilterGroup | null {
  const of = group.of.flatMap((condition): FilterCondition[] => {
    if (condition.kind === 'rule') return isComplete(condition) ? [condition] : [];
    const inner = completed(condition);
    return inner === null ? [] : [inner];
  });
  return of.length === 0 ? null : { ...group, of };
}

export class FilterError extends Error {
  override readonly name = 'FilterError';
}
