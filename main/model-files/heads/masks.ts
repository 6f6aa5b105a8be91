import { maskToPolygons } from '../../../preload/geometry/mask-polygons.ts';
import { maskFromBitmap } from '../../../preload/geometry/mask-runs.ts';
import { insidePicture, scoreText, rounded, type Box, type DetectorItem, type HeadInput } from './found.ts';

export type MapAt = (x: number, y: number) => number;

/** Bilinear interpolation between cell centres. */
export function linearMap(values: ArrayLike<number>, width: number, height: number, start = 0): MapAt {
  return (x, y) => {
    const column = Math.min(width - 1, Math.max(0, x - 0.5));
    const row = Math.min(height - 1, Math.max(0, y - 0.5));
    const [left, upper] = [Math.floor(column), Math.floor(row)];
    const [right, lower] = [Math.min(width - 1, left + 1), Math.min(height - 1, upper + 1)];
    const at = (line: number, place: number) => values[start + line * width + place] ?? 0;
    const above = at(upper, left) + (at(upper, right) - at(upper, left)) * (column - left);
    const below = at(lower, left) + (at(lower, right) - at(lower, left)) * (column - left);
    return above + (below - above) * (row - upper);
  };
}

interface FoundBitmap {
  readonly bits: Uint8Array;
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** Pixels of a box, 1 where the test is true; null if there are none. */
export function bitmapOf(
  box: Box,
  picture: Pick<HeadInput, 'width' | 'height'>,
  isSet: (x: number, y: number) => boolean,
): FoundBitmap | null {
  const inside = insidePicture(box, picture);
  if (inside === null) return null;
  const [left, top] = [Math.floor(inside.left), Math.floor(inside.top)];
  const [width, height] = [Math.ceil(inside.right) - left, Math.ceil(inside.bottom) - top];
  const bits = new Uint8Array(width * height);
  let count = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isSet(left + x + 0.5, top + y + 0.5)) continue;
      bits[y * width + x] = 1;
      count += 1;
    }
  }
  return count === 0 ? null : { bits, left, top, width };
}

/** A map whose cells are at image position · scale − shift. */
interface PlacedMap {
  readonly values: ArrayLike<number>;
  readonly start: number;
  readonly columns: number;
  readonly rows: number;
  readonly scale: readonly [number, number];
  readonly shift: readonly [number, number];
}

/** Pixels of a box where the bilinear map is above 0. Works row by row, so that images of any size are possible. */
export function bitmapOfMap(
  box: Box,
  picture: Pick<HeadInput, 'width' | 'height'>,
  map: PlacedMap,
): FoundBitmap | null {
  const inside = insidePicture(box, picture);
  if (inside === null) return null;
  const { values, start, columns, rows } = map;
  const [left, top] = [Math.floor(inside.left), Math.floor(inside.top)];
  const [width, height] = [Math.ceil(inside.right) - left, Math.ceil(inside.bottom) - top];
  const across = cellsOf(left, width, map.scale[0], map.shift[0], columns);
  const down = cellsOf(top, height, map.scale[1], map.shift[1], rows);
  const bits = new Uint8Array(width * height);
  const line = new Float32Array(columns);
  let count = 0;
  for (let y = 0; y < height; y += 1) {
    const upper = down.first[y] ?? -1;
    if (upper < 0) continue;
    const share = down.share[y] ?? 0;
    const [above, below] = [start + upper * columns, start + (down.second[y] ?? 0) * columns];
    for (let column = 0; column < columns; column += 1) {
      const value = values[above + column] ?? 0;
      line[column] = value + ((values[below + column] ?? 0) - value) * share;
    }
    for (let x = 0; x < width; x += 1) {
      const first = across.first[x] ?? -1;
      if (first < 0) continue;
      const value = line[first] ?? 0;
      if (value + ((line[across.second[x] ?? 0] ?? 0) - value) * (across.share[x] ?? 0) <= 0) continue;
      bits[y * width + x] = 1;
      count += 1;
    }
  }
  return count === 0 ? null : { bits, left, top, width };
}

/** Cell indexes around pixel centres; −1 outside of the map. */
function cellsOf(from: number, length: number, scale: number, shift: number, cells: number) {
  const first = new Int32Array(length).fill(-1);
  const second = new Int32Array(length);
  const share = new Float32Array(length);
  for (let index = 0; index < length; index += 1) {
    const place = (from + index + 0.5) * scale - shift;
    if (place < 0 || place > cells) continue;
    const cell = Math.min(cells - 1, Math.max(0, place - 0.5));
    first[index] = Math.floor(cell);
    second[index] = Math.min(cells - 1, Math.floor(cell) + 1);
    share[index] = cell - Math.floor(cell);
  }
  return { first, second, share };
}

/** Mask items (values of the box, then the box) or the polygon of the largest part. */
export function maskItems(label: string, score: number, found: FoundBitmap, shape: 'mask' | 'polygon'): DetectorItem[] {
  const { bits, left, top, width } = found;
  const height = bits.length / width;
  if (shape === 'polygon') {
    const mask = maskFromBitmap(bits, width, height);
    if (mask === null) return [];
    const [greatest] = maskToPolygons(mask).toSorted((a, b) => b.length - a.length);
    if (greatest === undefined) return [];
    const points = greatest.map((value, index) => rounded(value + (index % 2 === 0 ? left : top)));
    return [{ label, confidence: scoreText(score), type: 'polygon', points }];
  }
  // Shrinks the box to the mask.
  let [x1, y1, x2, y2] = [width, height, -1, -1];
  bits.forEach((bit, index) => {
    if (bit === 0) return;
    const x = index % width;
    const y = (index - x) / width;
    [x1, y1, x2, y2] = [Math.min(x1, x), Math.min(y1, y), Math.max(x2, x), Math.max(y2, y)];
  });
  const mask: number[] = [];
  for (let y = y1; y <= y2; y += 1) for (let x = x1; x <= x2; x += 1) mask.push(bits[y * width + x] ?? 0);
  mask.push(left + x1, top + y1, left + x2, top + y2);
  return [{ label, confidence: scoreText(score), type: 'mask', mask }];
}
