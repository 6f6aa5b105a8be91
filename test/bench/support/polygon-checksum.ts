/** Number of polygons and an order-independent sum over all of them. */
export interface PolygonChecksum {
  count: number;
  low: number;
  high: number;
}

export const emptyChecksum = (): PolygonChecksum => ({ count: 0, low: 0, high: 0 });

const scratch = new Float64Array(1 << 16);
const words = new Uint32Array(scratch.buffer);

function textHash(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Includes every bit of every coordinate, and the names of the image and the label. */
export function addPolygon(checksum: PolygonChecksum, image: string, label: string, points: ArrayLike<number>): void {
  if (points.length > scratch.length) throw new RangeError(`A polygon has ${points.length} numbers.`);
  for (let index = 0; index < points.length; index += 1) scratch[index] = points[index] ?? 0;
  let low = textHash(label, textHash(image, 0x811c9dc5));
  let high = textHash(image, textHash(label, 0x9e3779b9));
  for (let index = 0; index < 2 * points.length; index += 1) {
    const word = words[index] ?? 0;
    low = Math.imul(low ^ word, 0x01000193) ^ (low >>> 15);
    high = Math.imul(high ^ word, 0x85ebca6b) ^ (high >>> 13);
  }
  checksum.count += 1;
  checksum.low = (checksum.low + (low >>> 0)) >>> 0;
  checksum.high = (checksum.high + (high >>> 0)) >>> 0;
}

export const sameChecksum = (a: PolygonChecksum, b: PolygonChecksum): boolean =>
  a.count === b.count && a.low === b.low && a.high === b.high;
