import type { CocoSet } from './coco-evaluation.ts';
import type { CocoObjects } from './coco-objects.ts';
import { overlapsOf } from './overlaps.ts';

type VisitImage = (found: readonly number[], wanted: readonly number[], overlaps: Float64Array, image: number) => void;

/** Results by score, equal ones in their order; overlaps in a row for each of them. */
export function eachImage(
  { kind, images, truths, results }: CocoSet,
  visit: VisitImage,
  sigmas?: readonly number[],
): void {
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

/** Ascending images only. */
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
