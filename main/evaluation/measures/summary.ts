import { iouSteps, recallThresholds, type AreaName, type CocoEvaluation } from './coco-evaluation.ts';

/** Metric names of pycocotools' summary, in its order. */
const summaryNames = {
  boxes: ['AP', 'AP50', 'AP75', 'APs', 'APm', 'APl', 'AR1', 'AR10', 'AR100', 'ARs', 'ARm', 'ARl'],
  keypoints: ['AP', 'AP50', 'AP75', 'APm', 'APl', 'AR', 'AR50', 'AR75', 'ARm', 'ARl'],
} as const;

interface Narrowing {
  readonly threshold?: number;
  readonly recall?: number;
  readonly area?: AreaName;
  readonly limit?: number;
  readonly category?: number;
}

/** −1 if the count is 0. */
const meanOf = (sum: number, count: number): number => (count === 0 ? -1 : sum / count);

const chosen = (length: number, only: number | undefined): number[] =>
  only === undefined ? Array.from({ length }, (_, index) => index) : [only];

/** Mean precision over thresholds, recalls and categories. */
export function averagePrecision(
  evaluation: CocoEvaluation,
  { threshold, recall: only, area = 'all', category }: Narrowing = {},
): number {
  const { categories, areas, precision } = evaluation;
  let [sum, count] = [0, 0];
  for (const step of chosen(iouSteps.length, threshold)) {
    for (const recall of chosen(recallThresholds.length, only)) {
      for (const index of chosen(categories.length, category)) {
        const row = (step * recallThresholds.length + recall) * categories.length + index;
        const value = precision[row * areas.length + areas.indexOf(area)]!;
        if (value <= -1) continue;
        sum += value;
        count += 1;
      }
    }
  }
  return meanOf(sum, count);
}

/** Mean of maximum recalls over thresholds and categories. */
export function averageRecall(evaluation: CocoEvaluation, narrowing: Narrowing = {}): number {
  const { categories, areas, limits, recall } = evaluation;
  const { threshold, area = 'all', limit = limits.at(-1) ?? 0, category } = narrowing;
  let [sum, count] = [0, 0];
  for (const step of chosen(iouSteps.length, threshold)) {
    for (const index of chosen(categories.length, category)) {
      const cell = (step * categories.length + index) * areas.length + areas.indexOf(area);
      const value = recall[cell * limits.length + limits.indexOf(limit)]!;
      if (value <= -1) continue;
      sum += value;
      count += 1;
    }
  }
  return meanOf(sum, count);
}

const half = iouSteps.indexOf(0.5);
const threeQuarters = iouSteps.indexOf(0.75);

/** pycocotools' 12 metrics (10 for keypoints) by name. */
export function summarize(evaluation: CocoEvaluation): Readonly<Record<string, number>> {
  const precision = (narrowing?: Narrowing) => averagePrecision(evaluation, narrowing);
  const recall = (narrowing?: Narrowing) => averageRecall(evaluation, narrowing);
  const byArea = (measure: (narrowing: Narrowing) => number, areas: readonly AreaName[]) =>
    areas.map((area) => measure({ area }));
  const precisions = [precision(), precision({ threshold: half }), precision({ threshold: threeQuarters })];
  const isPoints = evaluation.kind === 'keypoints';
  const values = isPoints
    ? [
        ...precisions,
        ...byArea(precision, ['medium', 'large']),
        recall(),
        recall({ threshold: half }),
        recall({ threshold: threeQuarters }),
        ...byArea(recall, ['medium', 'large']),
      ]
    : [
        ...precisions,
        ...byArea(precision, ['small', 'medium', 'large']),
        recall({ limit: 1 }),
        recall({ limit: 10 }),
        recall({ limit: 100 }),
        ...byArea(recall, ['small', 'medium', 'large']),
      ];
  const names: readonly string[] = isPoints ? summaryNames.keypoints : summaryNames.boxes;
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? -1]));
}

export const categoryMeasures = (evaluation: CocoEvaluation) =>
  evaluation.categories.map(({ id, name }, category) => ({
    id,
    name,
    AP: averagePrecision(evaluation, { category }),
    AP50: averagePrecision(evaluation, { category, threshold: half }),
    AP75: averagePrecision(evaluation, { category, threshold: threeQuarters }),
    AR: averageRecall(evaluation, { category }),
  }));
