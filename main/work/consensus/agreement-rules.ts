import type { Agreement, AgreementPair } from '../../../preload/contract/schema/consensus.ts';
import { kappaOf, tableOf } from '../../comparison/confusion.ts';
import { csvRow } from '../../formats/io/csv-rows.ts';
import type { ReplicaPair } from './agreement-job.ts';

export interface MeasuredPair extends Omit<ReplicaPair, 'first' | 'second'> {
  readonly first: number;
  readonly second: number;
  readonly jobFirst: number;
  readonly jobSecond: number;
  readonly frames: number;
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Cohen's kappa of the labels of matched objects; null if chance agreement is complete. */
function kappaOfLabels(labels: ReplicaPair['labels']): number | null {
  const names = [...new Set(labels.flatMap(([first, second]) => [first, second]))];
  const cells = labels.map(([first, second, count]) => [names.indexOf(first), names.indexOf(second), count] as const);
  const kappa = kappaOf(tableOf(cells, names.length));
  return Number.isNaN(kappa) ? null : kappa;
}

/** Orders the pair by the annotators' indexes, independent of their jobs. */
function turned(pair: MeasuredPair): MeasuredPair {
  if (pair.first <= pair.second) return pair;
  return {
    ...pair,
    first: pair.second,
    second: pair.first,
    jobFirst: pair.jobSecond,
    jobSecond: pair.jobFirst,
    objectsFirst: pair.objectsSecond,
    objectsSecond: pair.objectsFirst,
    labels: pair.labels.map(([one, other, count]) => [other, one, count] as const),
  };
}

const ratesOf = (objects: number, matched: number, agreed: number) => ({
  matched,
  agreed,
  f1: share(2 * agreed, objects),
  accuracy: share(agreed, objects - matched),
});

/** Frames listed per pair of annotators. A user will not review more. */
const shownFrames = 100;

export function agreementOf(measured: readonly MeasuredPair[]): Pick<Agreement, 'pairs' | 'overall'> {
  const byPeople = Map.groupBy(measured.map(turned), ({ first, second }) => `${first}/${second}`);
  const pairs = [...byPeople.values()].flatMap((all): AgreementPair[] => {
    const [one] = all;
    if (one === undefined) return [];
    const sum = (of: (pair: MeasuredPair) => number): number => all.reduce((total, pair) => total + of(pair), 0);
    const [objectsFirst, objectsSecond] = [sum((pair) => pair.objectsFirst), sum((pair) => pair.objectsSecond)];
    const differences = all
      .flatMap(({ jobFirst, jobSecond, differences: found }) =>
        found.map(({ frame, count }) => ({ frame, count, job_first: jobFirst, job_second: jobSecond })),
      )
      .toSorted((a, b) => b.count - a.count || a.frame - b.frame);
    return [
      {
        first: one.first,
        second: one.second,
        frames: sum((pair) => pair.frames),
        objects_first: objectsFirst,
        objects_second: objectsSecond,
        ...ratesOf(
          objectsFirst + objectsSecond,
          sum((pair) => pair.matched),
          sum((pair) => pair.agreed),
        ),
        kappa: kappaOfLabels(all.flatMap(({ labels }) => labels)),
        differences: differences.slice(0, shownFrames),
      },
    ];
  });
  const total = (of: (pair: AgreementPair) => number): number => pairs.reduce((sum, pair) => sum + of(pair), 0);
  const kappas = pairs.flatMap(({ kappa }) => kappa ?? []);
  return {
    pairs: pairs.toSorted((a, b) => a.first - b.first || a.second - b.second),
    overall: {
      ...ratesOf(
        total((pair) => pair.objects_first + pair.objects_second),
        total(({ matched }) => matched),
        total(({ agreed }) => agreed),
      ),
      kappa: share(
        kappas.reduce((sum, kappa) => sum + kappa, 0),
        kappas.length,
      ),
    },
  };
}

/** CSV with one row per pair and one total row. Values that cannot be measured are empty. */
export function agreementCsv({ annotators, pairs, overall }: Agreement): string {
  const nameOf = (place: number): string => {
    const { user, jobs } = annotators[place] ?? { user: null, jobs: [] };
    // Spreadsheets read a cell that begins with one of these characters as a formula.
    return user?.username.replace(/^[=+\-@]/, "'$&") ?? `job ${jobs.join(' ')}`;
  };
  const head = ['first', 'second', 'frames', 'objects_first', 'objects_second'];
  const rates = ['matched', 'agreed', 'f1', 'accuracy', 'kappa'] as const;
  const rows = pairs.map((pair) => [
    nameOf(pair.first),
    nameOf(pair.second),
    pair.frames,
    pair.objects_first,
    pair.objects_second,
    ...rates.map((name) => pair[name] ?? ''),
  ]);
  const all = ['all', '', '', '', '', ...rates.map((name) => overall[name] ?? '')];
  return [[...head, ...rates], ...rows, all].map((row) => csvRow(row)).join('');
}
