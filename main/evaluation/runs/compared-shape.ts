import { boundingBox, cornersOf } from '../../../preload/geometry/geometry.ts';
import { maskArea } from '../../../preload/geometry/mask-runs.ts';
import { polygonArea } from '../../../preload/geometry/polygon-raster.ts';
import { areaOfCounts } from '../../../preload/geometry/run-length.ts';
import type { DetectionKind } from '../../../preload/contract/schema/evaluations.ts';
import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { ImageSize } from '../../comparison/compared-object.ts';
import { rasterOf } from '../../comparison/rasters.ts';
import type { CocoObject } from '../measures/coco-objects.ts';
import { cocoSigmas } from '../measures/overlaps.ts';

/** Shape fields that a comparison needs, independent of their storage. */
export interface ComparedShape {
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly rotation?: number;
  readonly score?: number;
  readonly area?: number;
  readonly elements?: readonly {
    readonly points: readonly number[];
    readonly occluded: boolean;
    readonly outside?: boolean;
    readonly label: string;
  }[];
}

type Comparable = Omit<CocoObject, 'image' | 'category'>;

/** Shapes without an area. */
const isOpen = (type: ShapeType): boolean => type === 'points' || type === 'polyline';

/**
 * Converts a shape for the evaluation; null if the kind cannot use it (points and polylines have no box, boxes no
 * points). Areas equal those of a COCO export.
 * @param pointNames of a skeleton's label, in order
 */
export function comparable(
  shape: ComparedShape,
  kind: DetectionKind,
  size: ImageSize,
  pointNames: readonly string[],
): Comparable | null {
  const { type, points, rotation = 0, score } = shape;
  if (isOpen(type) || (kind === 'keypoints') !== (type === 'skeleton')) return null;
  const bounds = boundingBox({
    type,
    points,
    rotation,
    elements: (shape.elements ?? []).map(({ points: own, outside = false }) => ({
      type: 'points' as const,
      points: own,
      outside,
    })),
  });
  if (!bounds) return null;
  const box = [bounds.left, bounds.top, bounds.right - bounds.left, bounds.bottom - bounds.top];
  const scored = score === undefined ? {} : { score };
  if (kind === 'keypoints') {
    const keypoints = pointNames.flatMap((name) => {
      const point = shape.elements?.find((element) => element.label === name);
      if (!point || point.outside === true) return [0, 0, 0];
      return [point.points[0] ?? 0, point.points[1] ?? 0, point.occluded ? 1 : 2];
    });
    const isIgnored = keypoints.every((value, place) => place % 3 !== 2 || value === 0);
    return { box, area: shape.area ?? (box[2] ?? 0) * (box[3] ?? 0), keypoints, isIgnored, ...scored };
  }
  if (kind === 'segm') {
    const runs = rasterOf(shape, size, 'export');
    const area = shape.area ?? areaOfCounts(runs.counts);
    // Rasterized on demand, because the run lengths of all objects need much memory.
    return { box, area, segmentation: () => rasterOf(shape, size, 'export'), ...scored };
  }
  if (kind === 'bbox') return { box, area: shape.area ?? ownArea(shape, box, size), ...scored };
  const [left = 0, top = 0, width = 0, height = 0] = box;
  const ofBox = [left, top, left + width, top, left + width, top + height, left, top + height];
  const corners = cornersOf({ type, points, rotation }) ?? ofBox;
  return { box, area: shape.area ?? ownArea(shape, box, size), keypoints: corners, ...scored };
}

function ownArea(
  { type, points }: ComparedShape,
  [, , width = 0, height = 0]: readonly number[],
  size: ImageSize,
): number {
  if (type === 'polygon') return polygonArea(points, size.width, size.height);
  if (type === 'mask') return maskArea(points);
  if (type !== 'rectangle') return width * height;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  return Math.abs((x2 - x1) * (y2 - y1));
}

/** COCO's sigmas for 17 points; for other skeletons each point has 1 / number of points. */
export function sigmasOf(pointCount: number): readonly number[] {
  return pointCount === cocoSigmas.length
    ? cocoSigmas
    : Array.from({ length: pointCount }, () => 1 / Math.max(1, pointCount));
}
