import type { ShapeRecord } from '../../canvas/types.ts';
import type { TextFunction } from '../../i18n/index.ts';

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Width and height in image pixels, not rotated. */
export function extentOf({ type, points }: Pick<ShapeRecord, 'type' | 'points'>): Extent {
  if (type === 'ellipse') {
    const [x = 0, y = 0, right = 0, top = 0] = points;
    return { width: 2 * Math.abs(right - x), height: 2 * Math.abs(y - top) };
  }
  if (type === 'mask') {
    const [left = 0, top = 0, right = 0, bottom = 0] = points.slice(-4);
    return { width: right - left + 1, height: bottom - top + 1 };
  }
  const xs = points.filter((_, index) => index % 2 === 0);
  const ys = points.filter((_, index) => index % 2 === 1);
  if (xs.length === 0) return { width: 0, height: 0 };
  const span = (values: readonly number[]): number => {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high - low;
  };
  return { width: span(xs), height: span(ys) };
}

export const areaOf = (shape: Pick<ShapeRecord, 'type' | 'points'>): number => {
  const { width, height } = extentOf(shape);
  return width * height;
};

/** For the status bar: `120 × 80`, and the number of points where they count. */
export function sizeText(shape: Pick<ShapeRecord, 'type' | 'points'>, t: TextFunction): string {
  const { width, height } = extentOf(shape);
  const box = `${Math.round(width)} × ${Math.round(height)}`;
  const many = shape.type === 'polygon' || shape.type === 'polyline' || shape.type === 'points';
  return many ? `${box} · ${t('annotate.points', { count: shape.points.length / 2 })}` : box;
}
