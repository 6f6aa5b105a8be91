import { rotatePoint } from '../../../preload/geometry/geometry.ts';
import type { Box } from '../kit/corner-box.ts';
import { fractionOf, shortestDecimal } from '../kit/short-decimals.ts';
import type { ImageSize } from '../kit/task-data.ts';

/** A box in percent of the image, rotated about its top left corner. */
export interface PercentBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
}

const percent = 100;
/** Pixel tolerance for the conversion to percent and back. */
const tolerance = 1e-7;

/** Position of the top left corner after the rotation. */
function cornerOf([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[], rotation: number): [number, number] {
  return rotation === 0 ? [x1, y1] : rotatePoint(x1, y1, (x1 + x2) / 2, (y1 + y2) / 2, rotation);
}

export function percentBox({ points, rotation = 0 }: Box, size: ImageSize): PercentBox {
  const [a = 0, b = 0, c = 0, d = 0] = points;
  const [x1, y1, x2, y2] = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  const [x, y] = cornerOf([x1, y1, x2, y2], rotation);
  return {
    x: fractionOf(x, size.width, percent),
    y: fractionOf(y, size.height, percent),
    width: fractionOf(x2 - x1, size.width, percent),
    height: fractionOf(y2 - y1, size.height, percent),
    rotation,
  };
}

/** The box in pixels, rotated about its center, with few decimals if they give the same box. */
export function boxOfPercent({ x, y, width, height, rotation }: PercentBox, size: ImageSize): Box {
  const left = (x / percent) * size.width;
  const top = (y / percent) * size.height;
  const halfWidth = ((width / percent) * size.width) / 2;
  const halfHeight = ((height / percent) * size.height) / 2;
  const [centerX, centerY] = rotatePoint(left + halfWidth, top + halfHeight, left, top, rotation);
  const points = [centerX - halfWidth, centerY - halfHeight, centerX + halfWidth, centerY + halfHeight].map((value) =>
    shortestDecimal(value, (short) => Math.abs(short - value) <= tolerance),
  );
  return rotation === 0 ? { points } : { points, rotation };
}
