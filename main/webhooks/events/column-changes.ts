import { isDeepStrictEqual } from 'node:util';

/** Old and new value of each database column that changed, by the column's public name. */
export type ColumnChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** Compares what is told of an object before and after a change. */
export function columnChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): ColumnChanges {
  const changed = Object.entries(before)
    .filter(([name, value]) => !isDeepStrictEqual(value, after[name]))
    .map(([name, from]) => [name, { from, to: after[name] }] as const);
  return Object.fromEntries(changed);
}

export const hasAny = (changes: ColumnChanges): boolean => Object.keys(changes).length > 0;
