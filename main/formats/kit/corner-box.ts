import { minimumAreaRectangle, rotatedRectangleToPolygon } from '../../../preload/geometry/geometry.ts';
import type { LabeledShape } from './task-data.ts';

export type Box = Pick<LabeledShape, 'points' | 'rotation'>;

/** The rectangle with these corners, clockwise from the first; undefined if they do not form one. */
function turnedRectangle(corners: readonly number[], tolerance: number): Required<Box> | undefined {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = corners;
  const alongX = (x1 - x0 + x2 - x3) / 2;
  const alongY = (y1 - y0 + y2 - y3) / 2;
  const acrossX = (x3 - x0 + x2 - x1) / 2;
  const acrossY = (y3 - y0 + y2 - y1) / 2;
  const width = Math.hypot(alongX, alongY);
  const height = Math.hypot(acrossX, acrossY);
  // Opposite sides are equal, adjacent ones perpendicular, and the corners run clockwise on screen.
  const isParallelogram = Math.hypot(x0 + x2 - x1 - x3, y0 + y2 - y1 - y3) <= 4 * tolerance;
  const skew = Math.abs(alongX * acrossX + alongY * acrossY);
  const isRight = skew <= 4 * tolerance * (width + height);
  const isClockwise = alongX * acrossY - alongY * acrossX >= 0;
  if (!isParallelogram || !isRight || !isClockwise) return undefined;
  const centerX = (x0 + x1 + x2 + x3) / 4;
  const centerY = (y0 + y1 + y2 + y3) / 4;
  const angle = width > 0 ? Math.atan2(alongY, alongX) : Math.atan2(acrossY, acrossX) - Math.PI / 2;
  return {
    points: [centerX - width / 2, centerY - height / 2, centerX + width / 2, centerY + height / 2],
    rotation: normalRotation((angle * 180) / Math.PI),
  };
}

/** The same box with the fewest decimals that `isSame` accepts, at most six. */
function shortened({ points, rotation }: Required<Box>, isSame: (box: Box) => boolean): Box {
  for (let decimals = 2; decimals <= 6; decimals += 1) {
    const short = {
      points: points.map((value) => Number(value.toFixed(decimals)) + 0),
      rotation: normalRotation(Number(rotation.toFixed(decimals))),
    };
    if (isSame(short)) return short;
  }
  return { points, rotation };
}

/**
 * The box for four corners in pixels. Corners that form a rectangle within `tolerance` pixels keep their order, so
 * every rotation is preserved; `isSame` decides which rounding still gives the corners. Other corners give the smallest
 * enclosing rectangle. A rotation of 0 is omitted.
 */
export function boxOfCorners(corners: readonly number[], tolerance: number, isSame: (box: Box) => boolean): Box {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = corners;
  const box = turnedRectangle(corners, tolerance) ?? turnedRectangle([x0, y0, x3, y3, x2, y2, x1, y1], tolerance);
  const found = box ? shortened(box, isSame) : minimumAreaRectangle(corners);
  if (!found) return { points: [x0, y0, x0, y0] };
  const { points, rotation = 0 } = found;
  return rotation === 0 ? { points } : { points, rotation };
}

/** Minimum number of correct decimals of corners in pixels, whatever their size. */
const writtenDecimals = 6;

/** Corners in the order of files: top left, top right, bottom right, bottom left before the rotation. */
export function cornersOf({ points, rotation = 0 }: Box): number[] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  const ordered = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  return rotatedRectangleToPolygon(ordered, rotation).map((value) => Number(value.toFixed(writtenDecimals)) + 0);
}

/** The box for corners in pixels that {@link cornersOf} or another program wrote. */
export function boxOfPixelCorners(corners: readonly number[]): Box {
  const tolerance = 2 * 10 ** -writtenDecimals;
  return boxOfCorners(corners, tolerance, (box) =>
    cornersOf(box).every((value, index) => Math.abs(value - (corners[index] ?? 0)) <= tolerance),
  );
}

/** Normalizes a rotation to 0 ≤ degrees < 360. Numbers in that range are unchanged. */
export function normalRotation(degrees: number): number {
  const rest = degrees % 360;
  return rest < 0 ? rest + 360 : rest + 0;
}
