/**
 * Rows are truths, columns results. The last column counts missed truths, the last row extra results. The unit is
 * images, objects or pixels.
 */
export type Confusion = readonly (readonly number[])[];

type Cells = Iterable<readonly [row: number, column: number, count: number]>;

const emptyTable = (side: number): number[][] =>
  Array.from({ length: side }, () => Array.from({ length: side }, () => 0));

export type ClassMeasures = ReturnType<typeof measuresOfClasses>[number];

export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
export const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const columnOf = (confusion: Confusion, column: number): number =>
  confusion.reduce((sum, row) => sum + (row[column] ?? 0), 0);

export function tableOf(cells: Cells, side: number): number[][] {
  const table = emptyTable(side);
  for (const [row, column, count] of cells) {
    const counts = table[row];
    if (counts) counts[column]! += count;
  }
  return table;
}

/**
 * Measures per class; `none` adds a class for unlabelled items. 0 for a division by zero (scikit-learn's
 * `zero_division=0`); −1 if the class does not occur.
 */
export function measuresOfClasses(confusion: Confusion, isWithNone = false) {
  return Array.from({ length: confusion.length - (isWithNone ? 0 : 1) }, (_, label) => {
    const truths = total(confusion[label] ?? []);
    const results = columnOf(confusion, label);
    const hits = confusion[label]?.[label] ?? 0;
    const either = truths + results - hits;
    if (either === 0) return { truths, results, hits, precision: -1, recall: -1, f1: -1, iou: -1 };
    return {
      truths,
      results,
      hits,
      precision: share(hits, results),
      recall: share(hits, truths),
      f1: share(2 * hits, truths + results),
      /** Pixels: intersection over union. */
      iou: hits / either,
    };
  });
}

/** Cohen's kappa: agreement beyond chance. Null without data; NaN if agreement by chance is complete. */
export function kappaOf(confusion: Confusion): number | null {
  const all = total(confusion.map(total));
  if (all === 0) return null;
  const same = total(confusion.map((row, label) => row[label] ?? 0)) / all;
  const chance = total(confusion.map((row, label) => total(row) * columnOf(confusion, label))) / all ** 2;
  return chance === 1 ? Number.NaN : (same - chance) / (1 - chance);
}
