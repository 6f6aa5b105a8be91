import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openSource } from '../../main/formats/io/open-source.ts';
import {
  evaluateCoco,
  iouSteps,
  recallThresholds,
  type AreaName,
  type CocoEvaluation,
} from '../../main/evaluation/measures/coco-evaluation.ts';
import type { EvaluationKind } from '../../main/evaluation/measures/coco-objects.ts';
import { collectFacts } from '../../main/evaluation/measures/facts.ts';
import { readCocoSet, type CocoFile } from '../../main/evaluation/measures/read-coco.ts';
import { averagePrecision, averageRecall, summarize } from '../../main/evaluation/measures/summary.ts';

interface CategoryNumbers {
  readonly AP: number;
  readonly APbyIoU: readonly number[];
  readonly recallByIoU: readonly number[];
  readonly APbyArea: Readonly<Record<AreaName, number>>;
}
interface Curve {
  readonly precision: readonly number[];
  readonly scores: readonly number[];
}

/** pycocotools' results for a scene: `expected.json` of the evaluation fixtures. */
interface Expected {
  readonly kind: EvaluationKind;
  readonly stats: Readonly<Record<string, number>>;
  readonly categories: Readonly<Record<string, CategoryNumbers>>;
  readonly curves: Readonly<Record<string, Readonly<Record<'0.5' | '0.75', Curve>>>>;
  /** Sums over all cells, by area and limit. */
  readonly sums: Readonly<Record<string, { readonly precision: number; readonly recall: number }>>;
}

async function openCocoFile(path: string): Promise<CocoFile> {
  const source = await openSource({ path, name: path });
  return { source, path: source.entries[0]?.path ?? '' };
}

export async function expectMeasures(scene: string): Promise<void> {
  const expected = JSON.parse(readFileSync(join(scene, 'expected.json'), 'utf8')) as Expected;
  const files = await Promise.all(['truth.json', 'results.json'].map((name) => openCocoFile(join(scene, name))));
  const set = await readCocoSet(files[0]!, files[1]!, { kind: expected.kind });
  await Promise.all(files.map(({ source }) => source.close()));
  const evaluation = evaluateCoco(set, collectFacts(set, []));
  const measured = summarize(evaluation);
  expect(Object.keys(measured)).toEqual(Object.keys(expected.stats));
  for (const [name, value] of Object.entries(expected.stats)) expect(measured[name], name).toBeCloseTo(value, 9);
  for (const [id, numbers] of Object.entries(expected.categories)) expectCategory(evaluation, Number(id), numbers);
  for (const [id, curves] of Object.entries(expected.curves)) {
    for (const [overlap, curve] of Object.entries(curves)) expectCurve(evaluation, Number(id), Number(overlap), curve);
  }
  for (const [name, sums] of Object.entries(expected.sums)) expectSums(evaluation, name, sums);
}

const placeOf = ({ categories }: CocoEvaluation, id: number): number =>
  categories.findIndex((category) => category.id === id);

function expectCategory(evaluation: CocoEvaluation, id: number, numbers: CategoryNumbers): void {
  const category = placeOf(evaluation, id);
  expect(averagePrecision(evaluation, { category })).toBeCloseTo(numbers.AP, 9);
  for (const [threshold, value] of numbers.APbyIoU.entries()) {
    expect(averagePrecision(evaluation, { category, threshold })).toBeCloseTo(value, 9);
    const recall = numbers.recallByIoU[threshold] ?? Number.NaN;
    expect(averageRecall(evaluation, { category, threshold })).toBeCloseTo(recall, 9);
  }
  for (const [area, value] of Object.entries(numbers.APbyArea)) {
    expect(averagePrecision(evaluation, { category, area: area as AreaName }), area).toBeCloseTo(value, 9);
  }
}

function expectCurve(evaluation: CocoEvaluation, id: number, overlap: number, curve: Curve): void {
  const { areas, precision, scores, categories } = evaluation;
  const step = iouSteps.indexOf(overlap) * recallThresholds.length;
  const cell = (recall: number) => ((step + recall) * categories.length + placeOf(evaluation, id)) * areas.length;
  for (const [recall, value] of curve.precision.entries()) expect(precision[cell(recall)]).toBeCloseTo(value, 9);
  for (const [recall, value] of curve.scores.entries()) expect(scores[cell(recall)]).toBeCloseTo(value, 9);
}

function expectSums(evaluation: CocoEvaluation, name: string, sums: Expected['sums'][string]): void {
  const { areas, limits, precision, recall } = evaluation;
  const [area = '', limit = ''] = name.split('/');
  const [areaAt, limitAt] = [areas.indexOf(area as AreaName), limits.indexOf(Number(limit))];
  const sumOf = (values: Float64Array, isMeant: (index: number) => boolean): number =>
    values.reduce((sum, value, index) => (isMeant(index) ? sum + value : sum), 0);
  const ofBoth = (index: number): boolean =>
    index % limits.length === limitAt && Math.floor(index / limits.length) % areas.length === areaAt;
  expect(sumOf(recall, ofBoth), name).toBeCloseTo(sums.recall, 9);
  // Only the curves of the largest limit are stored.
  if (limitAt < limits.length - 1) return;
  expect(
    sumOf(precision, (index) => index % areas.length === areaAt),
    name,
  ).toBeCloseTo(sums.precision, 8);
}
