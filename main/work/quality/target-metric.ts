import type {
  BaseMetric,
  RequirementMatrix,
  TargetMetric,
} from '../../../preload/contract/schema/quality-requirements.ts';
import { measuresOfClasses, share, tableOf, total } from '../../comparison/confusion.ts';
import type { MatrixCells } from './quality-counts.ts';

type Aggregation = RequirementMatrix['target_metric_summary']['aggregation'];

function partsOfMetric(name: TargetMetric): { readonly metric: BaseMetric; readonly aggregation: Aggregation } {
  const [, prefix, metric] = /^(?:(mean|label)_)?(.+)$/.exec(name) ?? [];
  // The names consist of these parts.
  return { metric: metric as BaseMetric, aggregation: (prefix as Aggregation | undefined) ?? 'micro' };
}

/** Measures of each label, then of `unmatched`. Rows are labels of annotations, columns those of the ground truth. */
function measuresByLabel(cells: MatrixCells, labels: number) {
  const byTruth = cells.map(([found, wanted, count]) => [wanted, found, count] as const);
  const classes = measuresOfClasses(tableOf(byTruth, labels + 1), true);
  const all = total(cells.map(([, , count]) => count));
  return classes.map(({ truths, results, hits, precision, recall, f1, iou }) => ({
    isThere: truths + results > 0,
    precision: Math.max(0, precision),
    recall: Math.max(0, recall),
    // Includes true negatives, as in CVAT. The Jaccard index is the accuracy without them.
    accuracy: share(all - (results - hits) - (truths - hits), all),
    jaccard_index: Math.max(0, iou),
    dice: Math.max(0, f1),
  }));
}

export function countsOfCells(cells: MatrixCells, unmatched: number) {
  const sum = (isIn: (row: number, column: number) => boolean): number =>
    total(cells.map(([row, column, count]) => (isIn(row, column) ? count : 0)));
  return {
    valid_count: sum((row, column) => row === column && row !== unmatched),
    missing_count: sum((row) => row === unmatched),
    extra_count: sum((_, column) => column === unmatched),
    total_count: sum(() => true),
    ds_count: sum((row) => row !== unmatched),
    gt_count: sum((_, column) => column !== unmatched),
  };
}

function overall(cells: MatrixCells, labels: number): Record<BaseMetric, number> {
  const { valid_count: valid, total_count: all, ds_count: found, gt_count: wanted } = countsOfCells(cells, labels);
  return {
    accuracy: share(valid, all),
    precision: share(valid, found),
    recall: share(valid, wanted),
    jaccard_index: share(valid, found + wanted - valid),
    dice: share(2 * valid, found + wanted),
  };
}

/** A metric over all objects, its mean over the labels, and that of the worst label. Labels without objects are left out. */
export function metricSummary(cells: MatrixCells, labels: readonly string[], metric: BaseMetric) {
  const values = measuresByLabel(cells, labels.length)
    .slice(0, labels.length)
    .flatMap((measures, at) => (measures.isThere ? [{ label: labels[at] ?? '', value: measures[metric] }] : []));
  const worst = values.length === 0 ? 0 : Math.min(...values.map(({ value }) => value));
  return {
    values: {
      micro: overall(cells, labels.length)[metric],
      mean: share(total(values.map(({ value }) => value)), values.length),
      label: worst,
    },
    worst_labels: values.filter(({ value }) => value === worst).map(({ label }) => label),
  };
}

export function scoreOf(cells: MatrixCells, labels: readonly string[], name: TargetMetric): number {
  const { metric, aggregation } = partsOfMetric(name);
  return metricSummary(cells, labels, metric).values[aggregation];
}

export function requirementMatrix(
  cells: MatrixCells,
  labels: readonly string[],
  name: TargetMetric,
  isComputed: boolean,
): RequirementMatrix {
  const parts = partsOfMetric(name);
  const measures = measuresByLabel(cells, labels.length);
  const each = (of: BaseMetric): number[] => measures.map((one) => one[of]);
  const nothing = { values: { micro: null, mean: null, label: null }, worst_labels: [] };
  return {
    labels: [...labels, 'unmatched'],
    rows: tableOf(cells, labels.length + 1),
    axes: { cols: 'gt', rows: 'ds' },
    precision: each('precision'),
    recall: each('recall'),
    accuracy: each('accuracy'),
    jaccard_index: each('jaccard_index'),
    dice: each('dice'),
    target_metric_summary: { ...parts, ...(isComputed ? metricSummary(cells, labels, parts.metric) : nothing) },
  };
}
