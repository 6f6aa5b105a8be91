import { assignOptimally } from '../../preload/geometry/assignment.ts';

type Pair = readonly [row: number, column: number];

/**
 * Pairs rows with columns, each at most once, with the greatest total similarity. Similarities of 0 or below the
 * threshold make no pair.
 */
export function pairOptimally(
  rows: number,
  columns: number,
  similarity: (row: number, column: number) => number,
  threshold = 0,
): Pair[] {
  const costs = Array.from({ length: rows }, (_, row) =>
    Float64Array.from({ length: columns }, (_each, column) => {
      const value = similarity(row, column);
      return value >= threshold ? -value : 0;
    }),
  );
  return assignOptimally(costs).flatMap((column, row): Pair[] =>
    (costs[row]?.[column] ?? 0) < 0 ? [[row, column]] : [],
  );
}

/** Pairs the most similar first, each row and column at most once; equal similarities in the given order. */
export function pairGreedily<Row, Column>(
  candidates: readonly { readonly row: Row; readonly column: Column; readonly similarity: number }[],
): Map<Row, Column> {
  const pairs = new Map<Row, Column>();
  const taken = new Set<Column>();
  for (const { row, column } of candidates.toSorted((a, b) => b.similarity - a.similarity)) {
    if (pairs.has(row) || taken.has(column)) continue;
    pairs.set(row, column);
    taken.add(column);
  }
  return pairs;
}
