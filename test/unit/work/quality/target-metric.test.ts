import { describe, expect, test } from 'vitest';
import type { TargetMetric } from '../../../../preload/contract/schema/quality-requirements.ts';
import { metricSummary, requirementMatrix, scoreOf } from '../../../../main/work/quality/target-metric.ts';

/** Rows are annotations, columns the ground truth: car, bus, unmatched. Matrix and scores are those of CVAT's own tests. */
const cells = [
  [0, 0, 2],
  [0, 1, 1],
  [0, 2, 1],
  [1, 1, 1],
  [2, 0, 1],
] as const;
const labels = ['car', 'bus'];

const scores: readonly (readonly [TargetMetric, number])[] = [
  ['accuracy', 1 / 2],
  ['precision', 3 / 5],
  ['recall', 3 / 5],
  ['jaccard_index', 3 / 7],
  ['dice', 3 / 5],
  ['mean_accuracy', 2 / 3],
  ['mean_precision', 3 / 4],
  ['mean_recall', 7 / 12],
  ['mean_jaccard_index', 9 / 20],
  ['mean_dice', 13 / 21],
  ['label_accuracy', 1 / 2],
  ['label_precision', 1 / 2],
  ['label_recall', 1 / 2],
  ['label_jaccard_index', 2 / 5],
  ['label_dice', 4 / 7],
];

describe("equals CVAT's scores", () => {
  test.each(scores)('%s', (metric, expected) => {
    expect(scoreOf(cells, labels, metric)).toBeCloseTo(expected, 10);
  });

  test('names the worst labels', () => {
    expect(metricSummary(cells, labels, 'jaccard_index').worst_labels).toEqual(['car']);
  });

  test('counts a label that only one side has as 0', () => {
    const missed = [
      [0, 0, 1],
      [2, 1, 1],
    ] as const;
    expect(scoreOf(missed, labels, 'mean_recall')).toBe(0.5);
    expect(scoreOf(missed, labels, 'label_recall')).toBe(0);
    expect(scoreOf([[1, 0, 1]], ['car'], 'precision')).toBe(0);
  });

  test('has no values for a requirement that was not computed', () => {
    expect(requirementMatrix([], ['car'], 'label_dice', false).target_metric_summary).toEqual({
      metric: 'dice',
      aggregation: 'label',
      values: { micro: null, mean: null, label: null },
      worst_labels: [],
    });
  });
});
