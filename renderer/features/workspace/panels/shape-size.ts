import { boundingBox } from '../../../../preload/geometry/geometry.ts';
import { behaviourOf } from '../../../canvas/shapes/shape-behaviours.ts';
import type { ShapeRecord } from '../../../canvas/types.ts';
import type { TextFunction } from '../../../i18n/index.ts';

interface Extent {
  readonly width: number;
  readonly height: number;
}

type Sized = Pick<ShapeRecord, 'type' | 'points' | 'elements'> & { readonly rotation?: number };

/** Width and height in image pixels, without rotation. */
function extentOf({ rotation: _rotation, ...shape }: Sized): Extent {
  const box = boundingBox(shape);
  return box === null ? { width: 0, height: 0 } : { width: box.right - box.left, height: box.bottom - box.top };
}

export const areaOf = (shape: Sized): number => {
  const { width, height } = extentOf(shape);
  return width * height;
};

/** Text for the status bar: `120 × 80`, and the number of points for paths. */
export function sizeText(shape: Sized, t: TextFunction): string {
  const { width, height } = extentOf(shape);
  const box = `${Math.round(width)} × ${Math.round(height)}`;
  if (behaviourOf(shape).countsPoints !== true) return box;
  const count = shape.elements?.length ?? shape.points.length / 2;
  return `${box} · ${t('annotate.points', { count })}`;
}
