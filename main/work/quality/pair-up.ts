import { assign } from './assignment.ts';

/**
 * Pairs rows with columns, each at most once, with the greatest total similarity. Similarities of 0 or below the
 * threshold make no pair.
 */
export function pairUp(
  rows: number,
  columns: number,
  similarity: (row: number, column: number) => number,
  threshold: number,
): (readonly [row: number, column: number])[] {
  if (rows === 0 || columns === 0) return [];
  const table = Array.from({ length: rows }, (_, row) =>
    Float64Array.from({ length: columns }, (_each, column) => {
      const value = similarity(row, column);
      return value >= threshold ? value : 0;
    }),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? 0;
  return assign(rows, columns, (row, column) => 1 - at(row, column)).flatMap((column, row) =>
    column >= 0 && at(row, column) > 0 ? [[row, column] as const] : [],
  );
}
