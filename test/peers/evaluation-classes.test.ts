import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measuresOfClasses, tableOf } from '../../main/comparison/confusion.ts';
import { countPixelClasses, summarizeClasses, summarizePixels } from '../../main/evaluation/measures/class-measures.ts';
import { sharedFixtures } from './shared-fixtures.ts';

interface Tags {
  readonly names: readonly string[];
  readonly truth: readonly number[];
  readonly predicted: readonly number[];
  readonly confusion: readonly (readonly number[])[];
  readonly precision: readonly number[];
  readonly recall: readonly number[];
  readonly f1: readonly number[];
  readonly support: readonly number[];
  readonly accuracy: number;
  readonly balancedAccuracy: number;
  readonly kappa: number;
  readonly macro: readonly number[];
  readonly weighted: readonly number[];
}
interface Masks {
  readonly classes: number;
  readonly ignored: number;
  readonly frames: readonly {
    readonly truth: readonly (readonly number[])[];
    readonly predicted: readonly (readonly number[])[];
  }[];
  readonly confusion: readonly (readonly number[])[];
  readonly iou: readonly number[];
  readonly dice: readonly number[];
  readonly mIoU: number;
  readonly pixelAccuracy: number;
  readonly meanAccuracy: number;
  readonly frequencyWeightedIoU: number;
}

const folder = join(sharedFixtures, 'cocoeval', 'classes');
const files = readdirSync(folder).sort();
const read = <Content>(name: string): Content => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Content;
const pick =
  (measure: 'precision' | 'recall' | 'f1' | 'iou') =>
  (one: ReturnType<typeof measuresOfClasses>[number]): number =>
    one[measure];
const expectAll = (measured: readonly number[], expected: readonly number[]) => {
  expect(measured).toHaveLength(expected.length);
  for (const [at, value] of expected.entries()) expect(measured[at]).toBeCloseTo(value, 9);
};

describe('labels of complete images', () => {
  it.each(files.filter((name) => name.startsWith('tags')))('%s: equals scikit-learn', (name) => {
    const given = read<Tags>(name);
    const cells = given.truth.map((truth, at) => [truth, given.predicted[at]!, 1] as const);
    const table = tableOf(cells, given.names.length + 1);
    expect(table.slice(0, -1).map((row) => row.slice(0, -1))).toEqual(given.confusion);
    const classes = measuresOfClasses(table);
    for (const measure of ['precision', 'recall', 'f1'] as const) expectAll(classes.map(pick(measure)), given[measure]);
    const { accuracy, balancedAccuracy, kappa, precision, recall, F1, weightedPrecision, weightedRecall, weightedF1 } =
      summarizeClasses(table);
    expectAll(
      [accuracy ?? 0, balancedAccuracy ?? 0, kappa ?? 0, precision ?? 0, recall ?? 0, F1 ?? 0],
      [given.accuracy, given.balancedAccuracy, given.kappa, ...given.macro],
    );
    expectAll([weightedPrecision ?? 0, weightedRecall ?? 0, weightedF1 ?? 0], given.weighted);
  });
});

describe('label maps', () => {
  it.each(files.filter((name) => name.startsWith('masks')))('%s: equals scikit-learn', (name) => {
    const { classes: count, ignored, frames, ...expected } = read<Masks>(name);
    const table = tableOf([], count + 1);
    for (const { truth, predicted } of frames) {
      const pixels = (rows: readonly (readonly number[])[]) =>
        Uint16Array.from(rows.flat(), (value) => (value === ignored ? count + 1 : value));
      for (const [row, cells] of countPixelClasses(pixels(truth), pixels(predicted), count).entries())
        for (const [column, value] of cells.entries()) table[row]![column]! += value;
    }
    expect(table.slice(0, -1).map((row) => row.slice(0, -1))).toEqual(expected.confusion);
    const classes = measuresOfClasses(table);
    expectAll(classes.map(pick('iou')), expected.iou);
    expectAll(classes.map(pick('f1')), expected.dice);
    const measures = summarizePixels(table);
    expectAll(
      [measures['mIoU'] ?? 0, measures['pixelAccuracy'] ?? 0, measures['meanAccuracy'] ?? 0],
      [expected.mIoU, expected.pixelAccuracy, expected.meanAccuracy],
    );
    expect(measures['frequencyWeightedIoU']).toBeCloseTo(expected.frequencyWeightedIoU, 9);
    expect(measures['mIoUWithBackground']).toBeCloseTo(expected.mIoU, 9);
  });
});
