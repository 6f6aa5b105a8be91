import type {
  EvaluationCountsAnswer,
  EvaluationFrame,
  EvaluationFramesQuery,
} from '../../../preload/contract/schema/evaluations.ts';
import { measuresOfClasses, tableOf } from '../../comparison/confusion.ts';
import { ratesOf, sumOf, withRates } from '../measures/one-threshold.ts';
import type { FrameNumbers } from './measured-views.ts';

/** Confusion matrix cells in columns, ordered by frame. The number of labels stands for none. */
export interface CellColumns {
  readonly image: Uint32Array;
  readonly truth: Uint16Array;
  readonly result: Uint16Array;
  readonly count: Uint32Array;
  readonly switches: Uint32Array;
}

/** A confusion counts as missed for the truth's label and as extra for the result's label. */
export function countCells(
  cells: CellColumns,
  labels: number,
): Omit<EvaluationCountsAnswer['models'][number], 'tasks'> {
  const table = tableOf(
    Array.from(cells.count, (count, at) => [cells.truth[at]!, cells.result[at]!, count] as const),
    labels + 1,
  );
  const ofLabels = measuresOfClasses(table).map(({ hits, truths, results }) => ({
    hits,
    missed: truths - hits,
    extra: results - hits,
  }));
  return {
    best_score: 0,
    curve: [],
    all: withRates(sumOf(ofLabels)),
    labels: ofLabels.map(withRates),
    confusion: table,
    scores: [],
    sizes: [],
    places: [],
  };
}

interface Wanted {
  readonly show: EvaluationFramesQuery['show'];
  /** Label indexes; undefined for all, −1 for none. */
  readonly truth: number | undefined;
  readonly result: number | undefined;
}

export function framesOfCells(
  cells: CellColumns,
  labels: number,
  { frames, tasks }: FrameNumbers,
  { show, ...wanted }: Wanted,
): EvaluationFrame[] {
  const counts = Array.from(frames, () => ({ hits: 0, missed: 0, extra: 0, switches: 0 }));
  const found = new Set<number>();
  const isMeant = (label: number | undefined, own: number): boolean =>
    label === undefined || own === (label === -1 ? labels : label);
  for (const [at, count] of cells.count.entries()) {
    const [image, truth, result] = [cells.image[at]!, cells.truth[at]!, cells.result[at]!];
    const switches = cells.switches[at]!;
    const frame = counts[image]!;
    const isHit = truth === result && truth !== labels;
    if (isHit) frame.hits += count;
    if (!isHit && truth !== labels) frame.missed += count;
    if (!isHit && result !== labels) frame.extra += count;
    frame.switches += switches;
    const isShown = {
      all: true,
      mixed: true,
      matched: isHit,
      missed: !isHit && truth !== labels,
      extra: !isHit && result !== labels,
      switched: switches > 0,
    }[show];
    if (isShown && isMeant(wanted.truth, truth) && isMeant(wanted.result, result)) found.add(image);
  }
  const isAll = show === 'all' && wanted.truth === undefined && wanted.result === undefined;
  return counts.flatMap((counted, image) =>
    isAll || found.has(image)
      ? [{ task_id: tasks[image]!, frame: frames[image]!, ...counted, f1: ratesOf(counted).f1 }]
      : [],
  );
}
