import { measuresOfClasses, tableOf } from '../../comparison/confusion.ts';
import { summarizeClasses } from '../measures/class-measures.ts';
import type { Cell, CellMeasures, CellSource } from './cells.ts';
import type { MeasuredView } from './measured-views.ts';

/**
 * Image tags as classes. One missing and one wrong tag count as a confusion; with more of either, all are missed and
 * extra.
 */
export function cellsOfTags({ truth, results, places, labels, labelOf, checkCancelled }: CellSource): CellMeasures {
  const none = labels.length;
  const read = (view: MeasuredView, side: 'truth' | 'results') => {
    const byFrame = new Map<number, Set<number>>();
    let leftOut = 0;
    for (const { frame, label } of view.tags) {
      checkCancelled();
      if (!places.has(frame)) continue;
      const place = labelOf(side, label);
      if (place === undefined) leftOut += 1;
      else byFrame.set(frame, (byFrame.get(frame) ?? new Set<number>()).add(place));
    }
    return { byFrame, leftOut };
  };
  const [wanted, found] = [read(truth, 'truth'), read(results, 'results')];
  const cells: Cell[] = [];
  const truths = labels.map(() => 0);
  let [exact, tagged, count] = [0, 0, 0];
  for (const [frame, { image }] of places) {
    const [own, said] = [wanted, found].map((side) => side.byFrame.get(frame) ?? new Set<number>());
    if (!own || !said) continue;
    const pairs = pairsOfTags(own, said, none);
    count += said.size;
    for (const label of own) truths[label]! += 1;
    if (pairs.length > 0) tagged += 1;
    if (pairs.length > 0 && pairs.every(([one, other]) => one === other)) exact += 1;
    for (const [one, other] of pairs) cells.push({ image, truth: one, result: other, count: 1, switches: 0 });
  }
  const table = tableOf(
    cells.map((cell) => [cell.truth, cell.result, cell.count] as const),
    none + 1,
  );
  return {
    cells,
    measures: { ...summarizeClasses(table), exactMatch: tagged === 0 ? -1 : exact / tagged },
    labels: measuresOfClasses(table).map(({ f1: F1, precision, recall }) => ({ F1, precision, recall })),
    truths: { ofLabels: truths, leftOut: wanted.leftOut },
    results: { count, leftOut: found.leftOut },
  };
}

export function pairsOfTags(
  truth: ReadonlySet<number>,
  results: ReadonlySet<number>,
  none: number,
): (readonly [number, number])[] {
  const missed = [...truth].filter((label) => !results.has(label));
  const extra = [...results].filter((label) => !truth.has(label));
  const hits = [...truth].filter((label) => results.has(label)).map((label) => [label, label] as const);
  if (missed.length === 1 && extra.length === 1) return [...hits, [missed[0]!, extra[0]!]];
  return [...hits, ...missed.map((label) => [label, none] as const), ...extra.map((label) => [none, label] as const)];
}
