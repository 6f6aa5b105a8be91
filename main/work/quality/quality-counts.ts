import type { Matching } from '../../comparison/match-objects.ts';

/**
 * Counts of pairs by label of the annotation (row) and of the ground truth (column). The last row and column are
 * `unmatched`.
 */
export type MatrixCells = readonly (readonly [row: number, column: number, count: number])[];

export interface AnnotationCounts {
  readonly valid_count: number;
  readonly missing_count: number;
  readonly extra_count: number;
  readonly total_count: number;
  readonly ds_count: number;
  readonly gt_count: number;
}

export interface QualityCounts {
  readonly annotations: AnnotationCounts;
  readonly shape: AnnotationCounts & { readonly mean_iou: number };
  readonly label: { readonly valid_count: number; readonly invalid_count: number; readonly total_count: number };
  readonly cells: MatrixCells;
}

const noCounts: AnnotationCounts = {
  valid_count: 0,
  missing_count: 0,
  extra_count: 0,
  total_count: 0,
  ds_count: 0,
  gt_count: 0,
};
const noLabels: QualityCounts['label'] = { valid_count: 0, invalid_count: 0, total_count: 0 };

const countsOf = (valid: number, pairs: number, missing: number, extra: number): AnnotationCounts => ({
  valid_count: valid,
  missing_count: missing,
  extra_count: extra,
  total_count: pairs + missing + extra,
  ds_count: pairs + extra,
  gt_count: pairs + missing,
});

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Counts of one frame.
 * @param labelIndex index of a label in the matrix, which ends with `unmatched`
 * @param emptyCount true if a side without annotations counts as one annotation
 */
export function countsOfFrame(
  { pairs, missing, extra }: Matching,
  labelIndex: ReadonlyMap<number, number>,
  emptyCount: boolean,
): QualityCounts {
  const valid = pairs.filter(({ truth, object }) => truth.labelId === object.labelId).length;
  const isShape = ({ object }: { readonly object: { readonly type: string } }): boolean => object.type !== 'tag';
  const [shapePairs, shapeMissing, shapeExtra] = [
    pairs.filter(isShape),
    missing.filter(isShape),
    extra.filter(isShape),
  ];
  const likeness = [
    ...shapePairs.map(({ similarity }) => similarity),
    ...[...shapeMissing, ...shapeExtra].map(({ nearest }) => nearest),
  ];
  const unmatched = labelIndex.size;
  const index = (labelId: number): number => labelIndex.get(labelId) ?? unmatched;
  const cells = [
    ...pairs.map(({ truth, object }) => [index(object.labelId), index(truth.labelId), 1] as const),
    ...extra.map(({ object }) => [index(object.labelId), unmatched, 1] as const),
    ...missing.map(({ object }) => [unmatched, index(object.labelId), 1] as const),
  ];
  const counts = {
    annotations: countsOf(valid, pairs.length, missing.length, extra.length),
    shape: {
      ...countsOf(shapePairs.length, shapePairs.length, shapeMissing.length, shapeExtra.length),
      mean_iou: mean(likeness),
    },
    label: { valid_count: valid, invalid_count: pairs.length - valid, total_count: pairs.length },
    cells: joined(cells),
  };
  return emptyCount ? withEmptySides(counts) : counts;
}

/** Adds an annotation to each side that has none, because two frames without annotations agree. */
function withEmptySides(counts: QualityCounts): QualityCounts {
  const { annotations, shape, label } = counts;
  const [noObjects, noTruths] = [Number(annotations.ds_count === 0), Number(annotations.gt_count === 0)];
  const both = noObjects * noTruths;
  const sides = { ds_count: noObjects, gt_count: noTruths };
  const filled = <Counts extends AnnotationCounts>(of: Counts): Counts => ({
    ...of,
    valid_count: of.valid_count + both,
    total_count: of.total_count + both,
    ds_count: of.ds_count + sides.ds_count,
    gt_count: of.gt_count + sides.gt_count,
  });
  return {
    ...counts,
    annotations: filled(annotations),
    shape: filled(shape),
    label: { ...label, valid_count: label.valid_count + both, total_count: label.total_count + both },
  };
}

export function joined(cells: MatrixCells): MatrixCells {
  const sums = new Map<string, [row: number, column: number, count: number]>();
  for (const [row, column, count] of cells) {
    const key = `${row} ${column}`;
    const sum = sums.get(key);
    if (sum) sum[2] += count;
    else sums.set(key, [row, column, count]);
  }
  return [...sums.values()].toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Rounds each weighted count up, as CVAT does. */
function added<Counts extends object>(first: Counts, second: Counts, weight: number): Counts {
  const values = second as Readonly<Record<string, number>>;
  return Object.fromEntries(
    Object.entries(first as Readonly<Record<string, number>>).map(([name, value]) => [
      name,
      value + Math.ceil((values[name] ?? 0) * weight),
    ]),
  ) as Counts;
}

/**
 * Sum of the counts.
 * @param weightOf weight of each; 1 by default
 */
export function sumOfCounts(
  all: readonly QualityCounts[],
  weightOf: (index: number) => number = () => 1,
): QualityCounts {
  const sum = <Part extends object>(none: Part, part: (one: QualityCounts) => Part): Part =>
    all.reduce((total, one, index) => added(total, part(one), weightOf(index)), none);
  return {
    annotations: sum(noCounts, (one) => one.annotations),
    // The mean is not a sum.
    shape: { ...sum(noCounts, (one) => one.shape), mean_iou: mean(all.map(({ shape }) => shape.mean_iou)) },
    label: sum(noLabels, (one) => one.label),
    cells: joined(
      all.flatMap(({ cells }, at) =>
        cells.map(([row, column, count]) => [row, column, Math.ceil(count * weightOf(at))] as const),
      ),
    ),
  };
}

/**
 * Counts of a job from the counts of its frames. If sides without annotations count, CVAT adds one to the total for
 * each frame that has annotations on one side only.
 * @param unmatched index of the row and column for unmatched objects
 */
export function countsOfJob(frames: readonly QualityCounts[], unmatched: number, emptyCount: boolean): QualityCounts {
  const sum = sumOfCounts(frames);
  if (!emptyCount) return sum;
  const oneSided = frames.filter(
    ({ cells }) =>
      cells.length > 0 && ([0, 1] as const).some((axis) => cells.every((cell) => cell[axis] === unmatched)),
  );
  const { annotations } = sum;
  return { ...sum, annotations: { ...annotations, total_count: annotations.total_count + oneSided.length } };
}
