import type { CocoObjects, CocoSet } from './coco-objects.ts';
import { overlapsOf } from './overlaps.ts';

/** Pairs with less overlap are dropped, because the service counts nothing below this value. */
const leastOverlap = 0.1;

/** Truths in columns, ordered by image. Centres are fractions of width and height. */
export interface TruthFacts {
  readonly image: Uint32Array;
  readonly label: Uint16Array;
  /** 1: crowd; 2: ignored; 4: id 0. */
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

interface FactOptions {
  readonly sigmas?: readonly number[];
  readonly least?: number;
  /** Without pairs of different labels, nothing but label-wise matching is counted. */
  readonly isSameLabel?: boolean;
}

/**
 * Collects overlaps of results and truths without their shapes, so that counts at any overlap and score need no shapes.
 * @param sizes of the images, by index
 */
export function collectFacts(
  { kind, images, categories, truths, results }: CocoSet,
  sizes: readonly Size[],
  { sigmas, least = leastOverlap, isSameLabel = false }: FactOptions = {},
): EvaluationFacts {
  const [wanted, found] = [truths.byImage(images), results.byImage(images)];
  const overlapOf = overlapsOf(kind, results, truths, sigmas);
  const pairs = new Uint32Array(results.count + 1);
  const pairTruth: number[] = [];
  const pairOverlap: number[] = [];
  for (let image = 0; image < images; image += 1) {
    for (let at = found.starts[image]!; at < found.starts[image + 1]!; at += 1) {
      const result = found.order[at]!;
      for (let place = wanted.starts[image]!; place < wanted.starts[image + 1]!; place += 1) {
        const truth = wanted.order[place]!;
        if (isSameLabel && truths.category(truth) !== results.category(result)) continue;
        const overlap = overlapOf(result, truth);
        if (overlap < least) continue;
        pairTruth.push(place);
        pairOverlap.push(overlap);
      }
      pairs[at + 1] = pairTruth.length;
    }
  }
  const columnsOf = (objects: CocoObjects, order: Uint32Array) => ({
    image: order.map(objects.image),
    label: Uint16Array.from(order, objects.category),
    area: Float64Array.from(order, objects.area),
  });
  const centre = (axis: 0 | 1) =>
    Float32Array.from(wanted.order, (index) => {
      const at = index * 4 + axis;
      return (truths.boxes[at]! + truths.boxes[at + 2]! / 2) / (sizes[truths.image(index)]?.[axis] ?? 1);
    });
  return {
    labels: categories.length,
    images,
    truths: {
      ...columnsOf(truths, wanted.order),
      flags: Uint8Array.from(wanted.order, truths.flags),
      x: centre(0),
      y: centre(1),
    },
    results: {
      ...columnsOf(results, found.order),
      score: Float64Array.from(found.order, results.score),
      pairs,
      pairTruth: Uint32Array.from(pairTruth),
      pairOverlap: Float64Array.from(pairOverlap),
    },
  };
}
