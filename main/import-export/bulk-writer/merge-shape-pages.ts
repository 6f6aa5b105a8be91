import { frameOf, pointBytesOf, type ShapePage } from './stored-shape-batch.ts';

interface Rest {
  readonly page: ShapePage;
  place: number;
  offset: number;
}

/** Splits pages into runs of rows, so that the runs of all iterators are in frame order; earlier iterators first. */
export function* mergeByFrame(walks: readonly Iterator<ShapePage>[]): Generator<ShapePage> {
  const rests = walks.map(nextRest);
  for (;;) {
    const chosen = lowest(rests);
    const rest = rests[chosen];
    if (!rest) return;
    const limits = rests.map((other, index) => (other && index !== chosen ? headFrame(other) : Infinity));
    yield takeRun(rest, (frame) => limits.every((limit, index) => (index < chosen ? frame < limit : frame <= limit)));
    if (rest.place === rest.page.rows.length) rests[chosen] = nextRest(walks[chosen]!);
  }
}

function nextRest(walk: Iterator<ShapePage>): Rest | null {
  const { value, done } = walk.next() as IteratorResult<ShapePage, undefined>;
  return done ? null : { page: value, place: 0, offset: 0 };
}

const headFrame = ({ page, place }: Rest): number => frameOf(page.rows[place]!);

/** Index of the first rest with the lowest frame; −1 if all have ended. */
function lowest(rests: readonly (Rest | null)[]): number {
  let chosen = -1;
  let lowestFrame = Infinity;
  for (const [index, rest] of rests.entries()) {
    if (!rest || headFrame(rest) >= lowestFrame) continue;
    chosen = index;
    lowestFrame = headFrame(rest);
  }
  return chosen;
}

/** Takes the leading rows whose frames fit, at least one. */
function takeRun(rest: Rest, fits: (frame: number) => boolean): ShapePage {
  const { rows, points } = rest.page;
  const { place, offset } = rest;
  do {
    rest.offset += pointBytesOf(rows[rest.place]!);
    rest.place += 1;
  } while (rest.place < rows.length && fits(headFrame(rest)));
  return { rows: rows.slice(place, rest.place), points: points.subarray(offset, rest.offset) };
}

/** Joins runs up to a number of rows or bytes of points. */
export function* joinRuns(runs: Iterable<ShapePage>, maxRows: number, maxBytes: number): Generator<ShapePage[]> {
  let waiting: ShapePage[] = [];
  let rows = 0;
  let bytes = 0;
  for (const run of runs) {
    waiting.push(run);
    rows += run.rows.length;
    bytes += run.points.length;
    if (rows < maxRows && bytes < maxBytes) continue;
    yield waiting;
    waiting = [];
    rows = 0;
    bytes = 0;
  }
  if (waiting.length > 0) yield waiting;
}
