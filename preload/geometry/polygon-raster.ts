import { createRunWriter, mergeRunLengths, type RunLengths } from './run-length.ts';

const scale = 5;
/** Slightly above 1/5 as a double, so that a 31-bit integer times it, truncated, is exactly its fifth. */
const fifth = 0.2;

/** Points farther away do not matter, and the arithmetic stays within 32 bits. */
const farthest = 2 ** 30;

function toFine(value: number): number {
  const fine = Math.trunc(scale * value + 0.5);
  if (fine > farthest) return farthest;
  return fine < -farthest ? -farthest : fine;
}

type CrossEdge = (
  rows: Int32Array,
  place: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  from: number,
  to: number,
  height: number,
) => void;

/** Edge whose longer axis is x, on the fine grid with x0 < x1: the row of its crossing in each column. */
const crossFlatEdge: CrossEdge = (rows, place, x0, y0, x1, y1, from, to, height) => {
  const slope = (y1 - y0) / (x1 - x0);
  const rowLimit = scale * height;
  // The line is monotone, so this is the lower of the two neighbours, without a comparison.
  const base = (slope < 0 ? 3 : 2) - x0;
  for (let column = from; column <= to; column += 1) {
    const fineRow = y0 + slope * (scale * column + base) + 0.5;
    rows[place + column - from] = fineRow < 3 ? 0 : fineRow >= rowLimit ? height : (((fineRow | 0) + 2) * fifth) | 0;
  }
};

/** Edge whose longer axis is y, on the fine grid with y0 < y1: the row of its crossing in each column. */
const crossSteepEdge: CrossEdge = (rows, place, x0, y0, x1, y1, from, to, height) => {
  const slope = (x1 - x0) / (y1 - y0);
  const inverse = 1 / slope;
  const rowLimit = scale * height;
  for (let column = from; column <= to; column += 1) {
    const limit = scale * column + 3;
    // Estimates the first step beyond the middle of the column, then finds the exact one in COCO's arithmetic.
    let step = Math.ceil((limit - 0.5 - x0) * inverse);
    if (step < 1) step = 1;
    if (slope > 0) {
      while (step > 1 && x0 + slope * (step - 1) + 0.5 >= limit) step -= 1;
      while (x0 + slope * step + 0.5 < limit) step += 1;
    } else {
      while (step > 1 && x0 + slope * (step - 1) + 0.5 < limit) step -= 1;
      while (x0 + slope * step + 0.5 >= limit) step += 1;
    }
    const fineRow = y0 + step - 1;
    rows[place + column - from] = fineRow < 3 ? 0 : fineRow >= rowLimit ? height : ((fineRow + 2) * fifth) | 0;
  }
};

/** Insertion sort, because a column usually has two crossings. */
function sortStretch(rows: Int32Array, start: number, end: number): void {
  for (let index = start + 1; index < end; index += 1) {
    const row = rows[index]!;
    let place = index;
    while (place > start && rows[place - 1]! > row) {
      rows[place] = rows[place - 1]!;
      place -= 1;
    }
    rows[place] = row;
  }
}

/**
 * Rasterizes polygons bit for bit like the COCO API (frPoly): vertices on a grid five times finer than the pixels,
 * edges as dense integer points of that grid, and a crossing wherever an edge passes from 5X+2 to 5X+3, the middle of
 * pixel column X. Computes only these crossings, because nothing else affects the result. Reuses its buffers between
 * calls: use one for a batch.
 */
export function createPolygonRasterizer() {
  let columns = new Int32Array(512);
  let rows = new Int32Array(512);
  let sortedRows = new Int32Array(512);
  let firstOfColumn = new Int32Array(512);
  let crossings = 0;
  let firstColumn = 0;
  let lastColumn = -1;

  const reserve = (more: number): void => {
    if (crossings + more <= columns.length) return;
    const size = 2 * (crossings + more);
    const grownColumns = new Int32Array(size);
    const grownRows = new Int32Array(size);
    grownColumns.set(columns);
    grownRows.set(rows);
    columns = grownColumns;
    rows = grownRows;
    sortedRows = new Int32Array(size);
  };

  /** Both ends are on the fine grid. */
  const addEdge = (x0: number, y0: number, x1: number, y1: number, width: number, height: number): void => {
    const lowX = x0 < x1 ? x0 : x1;
    const highX = x0 < x1 ? x1 : x0;
    if (highX - lowX === 0 || highX < 3) return;
    const from = lowX <= 2 ? 0 : Math.ceil((lowX - 2) / scale);
    const to = Math.min(width - 1, Math.floor((highX - 3) / scale));
    if (from > to) return;
    if (from < firstColumn) firstColumn = from;
    if (to > lastColumn) lastColumn = to;
    reserve(to - from + 1);
    const ofEdge = columns;
    for (let column = from, place = crossings; column <= to; column += 1, place += 1) ofEdge[place] = column;
    const isFlat = highX - lowX >= Math.abs(y1 - y0);
    const crossEdge = isFlat ? crossFlatEdge : crossSteepEdge;
    // COCO evaluates every line from its lower end along its longer axis.
    if (isFlat ? x0 < x1 : y0 < y1) crossEdge(rows, crossings, x0, y0, x1, y1, from, to, height);
    else crossEdge(rows, crossings, x1, y1, x0, y0, from, to, height);
    crossings += to - from + 1;
  };

  const collect = (points: ArrayLike<number>, width: number, height: number): void => {
    crossings = 0;
    firstColumn = width;
    lastColumn = -1;
    const end = points.length - (points.length % 2);
    if (end < 2) return;
    let x0 = toFine(points[end - 2]!);
    let y0 = toFine(points[end - 1]!);
    for (let index = 0; index < end; index += 2) {
      const x1 = toFine(points[index]!);
      const y1 = toFine(points[index + 1]!);
      addEdge(x0, y0, x1, y1, width, height);
      x0 = x1;
      y0 = y1;
    }
  };

  /** Sorts the crossings by column, then by row. A closed ring crosses every column an even number of times. */
  const sortCrossings = (): void => {
    const span = lastColumn - firstColumn + 1;
    if (firstOfColumn.length < span + 2) firstOfColumn = new Int32Array(2 * (span + 2));
    else firstOfColumn.fill(0, 0, span + 2);
    const first = firstOfColumn;
    const inColumns = columns;
    const inRows = rows;
    const sorted = sortedRows;
    const count = crossings;
    // Counting sort with an extra slot, so that placing leaves each column's start in its own slot.
    const shift = 2 - firstColumn;
    for (let index = 0; index < count; index += 1) first[inColumns[index]! + shift]! += 1;
    for (let column = 2; column <= span + 1; column += 1) first[column]! += first[column - 1]!;
    for (let index = 0; index < count; index += 1) {
      const column = inColumns[index]! + shift - 1;
      const place = first[column]!;
      sorted[place] = inRows[index]!;
      first[column] = place + 1;
    }
    for (let column = 0, start = 0; column < span; column += 1) {
      const end = first[column + 1]!;
      if (end - start > 2) {
        sortStretch(sorted, start, end);
      } else if (end - start === 2 && sorted[start]! > sorted[start + 1]!) {
        const row = sorted[start]!;
        sorted[start] = sorted[start + 1]!;
        sorted[start + 1] = row;
      }
      start = end;
    }
  };

  return {
    /** Number of pixels that `runLengths` sets, without building them. */
    area(points: ArrayLike<number>, width: number, height: number): number {
      collect(points, width, height);
      if (crossings === 0) return 0;
      sortCrossings();
      const sorted = sortedRows;
      let area = 0;
      for (let index = 1; index < crossings; index += 2) area += sorted[index]! - sorted[index - 1]!;
      return area;
    },
    /** Run lengths of one ring (x, y pairs, closed implicitly). */
    runLengths(points: ArrayLike<number>, width: number, height: number): RunLengths {
      collect(points, width, height);
      const writer = createRunWriter();
      if (crossings > 0) {
        sortCrossings();
        for (let column = firstColumn; column <= lastColumn; column += 1) {
          const end = firstOfColumn[column - firstColumn + 1]!;
          for (let index = firstOfColumn[column - firstColumn]!; index + 1 < end; index += 2) {
            writer.append(column * height + sortedRows[index]!, column * height + sortedRows[index + 1]!);
          }
        }
      }
      return { height, width, counts: writer.finish(width * height) };
    },
  };
}

export type PolygonRasterizer = ReturnType<typeof createPolygonRasterizer>;

export function polygonToRunLengths(points: ArrayLike<number>, width: number, height: number): RunLengths {
  return createPolygonRasterizer().runLengths(points, width, height);
}

/** Number of pixels of one ring, as in COCO. For many polygons use a rasterizer instead. */
export function polygonArea(points: ArrayLike<number>, width: number, height: number): number {
  return createPolygonRasterizer().area(points, width, height);
}

/** Union of the rings, as COCO reads a segmentation of several polygons. */
export function polygonsToRunLengths(
  polygons: readonly ArrayLike<number>[],
  width: number,
  height: number,
): RunLengths {
  if (polygons.length === 0) return { height, width, counts: [width * height] };
  const rasterizer = createPolygonRasterizer();
  return mergeRunLengths(polygons.map((points) => rasterizer.runLengths(points, width, height)));
}

/** Rasterizes the rectangle x1, y1, x2, y2 as a polygon. */
export function rectangleToRunLengths(
  [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[],
  width: number,
  height: number,
): RunLengths {
  return polygonToRunLengths([x1, y1, x1, y2, x2, y2, x2, y1], width, height);
}

/**
 * Mask of an ellipse (centre x, centre y, right x, top y; rotation in degrees, clockwise on screen), clipped to the
 * image; null if no pixel is left. Rounds the centre and half axes to integer pixels and includes the outline, as
 * CVAT's exporters draw ellipses with OpenCV.
 */
export function ellipseToMask(
  [centerX = 0, centerY = 0, rightX = 0, topY = 0]: readonly number[],
  rotation: number,
  width: number,
  height: number,
): number[] | null {
  const x = Math.round(centerX);
  const y = Math.round(centerY);
  const a = Math.abs(Math.round(rightX - centerX)) + 0.5;
  const b = Math.abs(Math.round(centerY - topY)) + 0.5;
  const angle = (rotation * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const halfHeight = Math.hypot(a * sin, b * cos);
  // For a row the ellipse is a quadratic in x: square·x² + 2·mixed·row·x + rest·row² = 1.
  const square = (cos / a) ** 2 + (sin / b) ** 2;
  const mixed = cos * sin * (1 / a ** 2 - 1 / b ** 2);
  const rest = (sin / a) ** 2 + (cos / b) ** 2;
  const spans: [row: number, left: number, right: number][] = [];
  for (let row = Math.max(0, Math.ceil(y - halfHeight)); row <= Math.min(height - 1, y + halfHeight); row += 1) {
    const dy = row - y;
    const discriminant = (mixed * dy) ** 2 - square * (rest * dy * dy - 1);
    if (discriminant < 0) continue;
    const root = Math.sqrt(discriminant);
    const left = Math.max(0, Math.ceil(x + (-mixed * dy - root) / square));
    const right = Math.min(width - 1, Math.floor(x + (-mixed * dy + root) / square));
    if (left <= right) spans.push([row, left, right]);
  }
  return maskFromSpans(spans);
}

/** Mask of one inclusive span per row, in ascending order of rows. */
function maskFromSpans(spans: readonly [row: number, left: number, right: number][]): number[] | null {
  const top = spans[0]?.[0];
  const bottom = spans.at(-1)?.[0];
  if (top === undefined || bottom === undefined) return null;
  const left = Math.min(...spans.map((span) => span[1]));
  const right = Math.max(...spans.map((span) => span[2]));
  const boxWidth = right - left + 1;
  const writer = createRunWriter();
  for (const [row, from, to] of spans) {
    const start = (row - top) * boxWidth - left;
    writer.append(start + from, start + to + 1);
  }
  const mask = writer.finish(boxWidth * (bottom - top + 1));
  mask.push(left, top, right, bottom);
  return mask;
}
