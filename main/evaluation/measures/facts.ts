import type { CocoSet } from './coco-evaluation.ts';
import type { CocoObjects } from './coco-objects.ts';
import { overlapsOf } from './overlaps.ts';

/** Pairs with less overlap are dropped, because the service counts nothing below this value. */
const leastOverlap = 0.1;

/** Truths in columns, ordered by image. Centres are fractions of width and height. */
export interface TruthFacts {
  readonly image: Uint32Array;
  readonly label: Uint16Array;
  /** 1: crowd; 2: ignored. */
  readonly flags: Uint8Array;
  readonly area: Float64Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Results in columns, ordered by image and descending score, with the truths that each one overlaps. */
export interface ResultFacts {
  readonly image: Uint32Array;
  readonly label: Uint16Array;
  readonly score: Float64Array;
  readonly area: Float64Array;
  /** Start of each result's pairs, with one more entry at the end. */
  readonly pairs: Uint32Array;
  readonly pairTruth: Uint32Array;
  readonly pairOverlap: Float64Array;
}

export interface EvaluationFacts {
  readonly labels: number;
  readonly images: number;
  readonly truths: TruthFacts;
  readonly results: ResultFacts;
}

type Size = readonly [width: number, height: number];

/**
 * Collects overlaps of results and truths without their shapes, so that counts at any overlap and score need no shapes.
 * @param sizes of the images, by index
 */
export function collectFacts(
  set: CocoSet,
  sizes: readonly Size[],
  { sigmas, least = leastOverlap }: { readonly sigmas?: readonly number[] | undefined; readonly least?: number } = {},
): EvaluationFacts {
  const { truths, results } = set;
  const truthFacts: TruthFacts = {
    image: new Uint32Array(truths.count),
    label: new Uint16Array(truths.count),
    flags: new Uint8Array(truths.count),
    area: new Float64Array(truths.count),
    x: new Float32Array(truths.count),
    y: new Float32Array(truths.count),
  };
  const found = {
    image: new Uint32Array(results.count),
    label: new Uint16Array(results.count),
    score: new Float64Array(results.count),
    area: new Float64Array(results.count),
    pairs: new Uint32Array(results.count + 1),
  };
  const pairTruth = growing();
  const pairOverlap = growing();
  let [truthCount, resultCount] = [0, 0];
  const visit: VisitImage = (here, wanted, overlaps, image) => {
    const first = truthCount;
    const [width, height] = sizes[image] ?? [1, 1];
    for (const index of wanted) {
      truthFacts.image[truthCount] = image;
      truthFacts.label[truthCount] = truths.category(index);
      truthFacts.flags[truthCount] = (truths.isCrowd(index) ? 1 : 0) | (truths.isIgnored(index) ? 2 : 0);
      truthFacts.area[truthCount] = truths.area(index);
      truthFacts.x[truthCount] = (truths.box(index, 0) + truths.box(index, 2) / 2) / width;
      truthFacts.y[truthCount] = (truths.box(index, 1) + truths.box(index, 3) / 2) / height;
      truthCount += 1;
    }
    for (const [row, index] of here.entries()) {
      found.image[resultCount] = image;
      found.label[resultCount] = results.category(index);
      found.score[resultCount] = results.score(index);
      found.area[resultCount] = results.area(index);
      for (let place = 0; place < wanted.length; place += 1) {
        const overlap = overlaps[row * wanted.length + place]!;
        if (overlap < least) continue;
        pairTruth.push(first + place);
        pairOverlap.push(overlap);
      }
      resultCount += 1;
      found.pairs[resultCount] = pairTruth.count();
    }
  };
  eachImage(set, visit, sigmas);
  return {
    labels: set.categories.length,
    images: set.images,
    truths: truthFacts,
    results: { ...found, pairTruth: Uint32Array.from(pairTruth.all()), pairOverlap: pairOverlap.all() },
  };
}

function growing() {
  let values = new Float64Array(1024);
  let count = 0;
  return {
    push(value: number): void {
      if (count === values.length) {
        const larger = new Float64Array(count * 2);
        larger.set(values);
        values = larger;
      }
      values[count] = value;
      count += 1;
    },
    count: () => count,
    all: () => values.slice(0, count),
  };
}

type VisitImage = (found: readonly number[], wanted: readonly number[], overlaps: Float64Array, image: number) => void;

/** Visits images with results in descending score (stable) and their overlaps in row-major order. */
function eachImage({ kind, images, truths, results }: CocoSet, visit: VisitImage, sigmas?: readonly number[]): void {
  const overlapsInto = overlapsOf(kind, results, truths, sigmas);
  const [nextFound, nextWanted] = [byImage(results), byImage(truths)];
  let cells = new Float64Array(1024);
  for (let image = 0; image < images; image += 1) {
    const found = nextFound(image).sort((a, b) => results.score(b) - results.score(a) || a - b);
    const wanted = nextWanted(image);
    if (found.length * wanted.length > cells.length) cells = new Float64Array(found.length * wanted.length * 2);
    if (found.length > 0 && wanted.length > 0) overlapsInto(found, wanted, cells);
    visit(found, wanted, cells, image);
  }
}

/** Images must be requested in ascending order. */
function byImage(objects: CocoObjects): (image: number) => number[] {
  const order = Uint32Array.from({ length: objects.count }, (_, index) => index);
  order.sort((a, b) => objects.image(a) - objects.image(b) || a - b);
  let at = 0;
  return (image) => {
    const from = at;
    while (at < order.length && objects.image(order[at]!) === image) at += 1;
    return [...order.subarray(from, at)];
  };
}
