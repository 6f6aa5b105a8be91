import { boundingBox } from '../../../preload/contract/geometry.ts';
import { behaviourOf } from '../../canvas/shapes/shape-behaviours.ts';
import type { ShapeRecord } from '../../canvas/types.ts';
import type { TextFunction } from '../../i18n/index.ts';

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Width and height in image pixels, not rotated. */
function extentOf({ type, points }: Pick<ShapeRecord, 'type' | 'points'>): Extent {
  const box = boundingBox({ type, points });
  return box === null ? { width: 0, height: 0 } : { width: box.right - box.left, height: box.bottom - box.top };
}

export const areaOf = (shape: Pick<ShapeRecord, 'type' | 'points'>): number => {
  const { width, height } = extentOf(shape);
  return width * height;
};

/** For the status bar: `120 × 80`, and the number of points where they count. */
export function sizeText(shape: Pick<ShapeRecord, 'type' | 'points'>, t: TextFunction): string {
  const { width, height } = extentOf(shape);
  const box = `${Math.round(width)} × ${Math.round(height)}`;
  return behaviourOf(shape).countsPoints === true
    ? `${box} · ${t('annotate.points', { count: shape.points.length / 2 })}`
    : box;
}
