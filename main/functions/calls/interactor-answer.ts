import { shiftPoints, type Region } from './region.ts';

/** Returns the interactor's answer, with coordinates of a region moved to the image. */
export function placeInteraction(
  answer: unknown,
  region: Region | null,
  image: { readonly width: number; readonly height: number },
): unknown {
  if (region === null) return answer;
  if (Array.isArray(answer)) return shiftPairs(answer, region);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]: [string, unknown]) => {
      if (key === 'mask' && Array.isArray(value)) return [key, placeMask(value as unknown[], region, image)];
      if (key === 'points' && Array.isArray(value)) return [key, shiftPairs(value as unknown[], region)];
      if (key === 'shapes' && Array.isArray(value))
        return [key, value.map((shape: unknown) => shiftShape(shape, region))];
      return [key, value];
    }),
  );
}

function shiftPairs(pairs: readonly unknown[], region: Region): unknown[] {
  return pairs.map((pair) => (Array.isArray(pair) ? shiftPoints(pair.map(Number), region) : pair));
}

/** In a mask, only the box at its end contains coordinates. */
function shiftShape(shape: unknown, region: Region): unknown {
  const points: unknown = Reflect.get(Object(shape), 'points');
  if (!Array.isArray(points)) return shape;
  const flat = points.map(Number);
  const isMask = Reflect.get(Object(shape), 'type') === 'mask';
  const moved = isMask ? [...flat.slice(0, -4), ...shiftPoints(flat.slice(-4), region)] : shiftPoints(flat, region);
  return { ...Object(shape), points: moved };
}

function placeMask(rows: readonly unknown[], region: Region, image: { width: number; height: number }): number[][] {
  const whole = Array.from({ length: image.height }, () => Array.from({ length: image.width }, () => 0));
  for (const [y, row] of rows.entries()) {
    const target = whole[region.top + y];
    if (!target || !Array.isArray(row)) continue;
    for (const [x, value] of row.entries()) {
      if (region.left + x < image.width) target[region.left + x] = Number(value);
    }
  }
  return whole;
}
