import { backX, backY } from '../image/image-tensor.ts';
import { numbersOf, outputLike, squeezed } from '../tensor.ts';
import { rounded, scoreText, type DetectorItem, type HeadInput } from './found.ts';

/** Threshold of the text map. */
const inText = 0.3;
/** Regions grow by area / perimeter · growth, because models are trained with shrunken regions. */
const growth = 1.6;
const leastSide = 3;

type Point = readonly [number, number];

/** Text regions: connected parts of the map as minimum-area rotated rectangles. */
export function decodeText(input: HeadInput): DetectorItem[] {
  const { outputs, placing, threshold, description, width, height } = input;
  const map = outputLike(outputs, 'text map', ({ dims }) => squeezed(dims, 2).length === 2);
  const [rows = 0, columns = 0] = squeezed(map.dims, 2);
  const values = numbersOf(map);
  const [label = ''] = description.labels;
  const [across, down] = [placing.width / columns, placing.height / rows];
  return regionsOf(dilated(values, columns, rows), columns, rows).flatMap((places): DetectorItem[] => {
    const sum = places.reduce((total, place) => total + (values[place] ?? 0), 0);
    const score = sum / places.length;
    const corners = leastRectangle(places, columns);
    const sides = corners === null ? [0, 0] : [lengthOf(corners[0]!, corners[1]!), lengthOf(corners[1]!, corners[2]!)];
    const [long = 0, short = 0] = sides.toSorted((a, b) => b - a);
    if (corners === null || short < leastSide || score < threshold) return [];
    const grown = grownRectangle(corners, (long * short * growth) / (2 * (long + short)));
    const points = fromUpperLeft(grown).flatMap(([x, y]) => [
      rounded(Math.min(width, Math.max(0, backX(placing, x * across)))),
      rounded(Math.min(height, Math.max(0, backY(placing, y * down)))),
    ]);
    return [{ label, confidence: scoreText(score), type: 'polygon', points }];
  });
}

/** Corners clockwise, the upper one of the two left ones first. */
function fromUpperLeft(corners: readonly Point[]): Point[] {
  const byX = corners.toSorted((a, b) => a[0] - b[0]);
  const byY = (two: readonly Point[]) => two.toSorted((a, b) => a[1] - b[1]);
  const [[upperLeft, lowerLeft], [upperRight, lowerRight]] = [byY(byX.slice(0, 2)), byY(byX.slice(2))];
  return [upperLeft!, upperRight!, lowerRight!, lowerLeft!];
}

/** Text cells, grown by one cell to the right and downwards, which joins what a thin gap divides. */
function dilated(values: ArrayLike<number>, columns: number, rows: number): Uint8Array {
  const cells = new Uint8Array(columns * rows);
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      if (!((values[y * columns + x] ?? 0) > inText)) continue;
      for (const row of [y, Math.min(rows - 1, y + 1)]) {
        for (const column of [x, Math.min(columns - 1, x + 1)]) cells[row * columns + column] = 1;
      }
    }
  }
  return cells;
}

/** Connected components (8 neighbours). */
function regionsOf(cells: Uint8Array, columns: number, rows: number): number[][] {
  const isSeen = new Uint8Array(columns * rows);
  const regions: number[][] = [];
  for (let start = 0; start < columns * rows; start += 1) {
    if (isSeen[start] === 1 || cells[start] === 0) continue;
    isSeen[start] = 1;
    const region = [start];
    for (let next = 0; next < region.length; next += 1) {
      const place = region[next] ?? 0;
      const [x, y] = [place % columns, Math.floor(place / columns)];
      for (let dy = -1; dy <= 1; dy += 1) {
        for (let dx = -1; dx <= 1; dx += 1) {
          const [column, row] = [x + dx, y + dy];
          const near = row * columns + column;
          if (column < 0 || column >= columns || row < 0 || row >= rows || isSeen[near] === 1) continue;
          if (cells[near] === 0) continue;
          isSeen[near] = 1;
          region.push(near);
        }
      }
    }
    regions.push(region);
  }
  return regions;
}

const lengthOf = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Minimum-area rectangle; one of its sides contains a side of the convex hull. */
function leastRectangle(places: readonly number[], columns: number): Point[] | null {
  const hull = hullOf(places.map((place): Point => [place % columns, Math.floor(place / columns)]));
  let best: { area: number; points: Point[] } | null = null;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length] ?? from;
    const length = lengthOf(from, to);
    if (length === 0) continue;
    const along: Point = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const across: Point = [-along[1], along[0]];
    const [u, v] = [along, across].map((axis) => hull.map(([x, y]) => x * axis[0] + y * axis[1]));
    const [u1, u2, v1, v2] = [Math.min(...u!), Math.max(...u!), Math.min(...v!), Math.max(...v!)];
    const area = (u2 - u1) * (v2 - v1);
    if (best !== null && area >= best.area) continue;
    const at = (a: number, b: number): Point => [a * along[0] + b * across[0], a * along[1] + b * across[1]];
    best = { area, points: [at(u1, v1), at(u2, v1), at(u2, v2), at(u1, v2)] };
  }
  return best?.points ?? null;
}

function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (all: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of all) {
      while (chain.length >= 2 && turnOf(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

const turnOf = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** PaddleOCR grows polygons of whole numbers. */
function grownRectangle(corners: readonly Point[], by: number): Point[] {
  const middle: Point = [
    corners.reduce((sum, [x]) => sum + x, 0) / corners.length,
    corners.reduce((sum, [, y]) => sum + y, 0) / corners.length,
  ];
  const [first, second, , fourth] = corners as [Point, Point, Point, Point];
  const unit = (a: Point, b: Point): Point => {
    const length = lengthOf(a, b) || 1;
    return [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  };
  const [along, across] = [unit(first, second), unit(first, fourth)];
  return corners.map(([x, y]): Point => {
    const side = (axis: Point) => Math.sign((x - middle[0]) * axis[0] + (y - middle[1]) * axis[1]) * by;
    const [u, v] = [side(along), side(across)];
    const [dx, dy] = [along[0] * u + across[0] * v, along[1] * u + across[1] * v];
    return [Math.round(Math.trunc(x) + dx), Math.round(Math.trunc(y) + dy)];
  });
}
