import { boundingBox, type Box, cornersOf, rotatePoint, shoelaceArea } from '../../../preload/geometry/geometry.ts';
import { maskToPolygons } from '../../../preload/geometry/mask-polygons.ts';
import { maskArea } from '../../../preload/geometry/mask-runs.ts';
import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { ArrangedKind, ArrangedTarget } from '../../../preload/contract/schema/export-options.ts';
import { hasArea, shapeMask } from '../../formats/kit/mask-files/shape-mask.ts';
import type { SupportTable } from '../../formats/kit/plugin.ts';
import type { ImageSize, LabeledShape } from '../../formats/kit/task-data.ts';

/** The fields of a shape or keyframe that its outline depends on. */
interface Outline {
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly rotation?: number;
  readonly elements?: readonly LabeledShape[];
}

interface ConvertedOutline {
  readonly type: ShapeType;
  readonly points: readonly number[];
}

export const kindOf = ({ type, rotation = 0 }: Pick<Outline, 'type' | 'rotation'>): ArrangedKind =>
  type === 'rectangle' && rotation % 360 !== 0 ? 'rotated rectangle' : type;

/** Corners of a polygon for an ellipse; accurate to 0.3 % of the radius. */
const ellipseCorners = 40;

function ellipseToPolygon([x = 0, y = 0, right = 0, top = 0]: readonly number[], rotation: number): number[] {
  return Array.from({ length: ellipseCorners }, (_unused, index) => {
    const angle = (2 * Math.PI * index) / ellipseCorners;
    return rotatePoint(x + (right - x) * Math.cos(angle), y + (top - y) * Math.sin(angle), x, y, rotation);
  }).flat();
}

const boxPoints = ({ left, top, right, bottom }: Box): number[] => [left, top, right, bottom];
const boxRing = ({ left, top, right, bottom }: Box): number[] => [left, top, right, top, right, bottom, left, bottom];

function toPolygons(outline: Outline): readonly (readonly number[])[] {
  const { type, points, rotation = 0 } = outline;
  if (type === 'mask') return maskToPolygons(points);
  if (type === 'ellipse') return [ellipseToPolygon(points, rotation)];
  const corners = cornersOf(outline);
  if (corners) return [corners];
  if (type === 'polyline' && points.length >= 6) return [points];
  const box = boundingBox(outline);
  return box ? [boxRing(box)] : [];
}

function toMask(outline: Outline, size: ImageSize): number[] | null {
  const ring = hasArea(outline) ? outline : { type: 'polygon' as const, points: toPolygons(outline)[0] ?? [] };
  return shapeMask(ring, size);
}

/** Converts an outline. Returns several polygons if a mask has several parts, none if no area remains. */
export function convertOutline(
  outline: Outline,
  target: Exclude<ArrangedTarget, 'leave_out'>,
  size: ImageSize,
): readonly ConvertedOutline[] {
  if (target === 'polygon') return toPolygons(outline).map((points) => ({ type: 'polygon', points }));
  if (target === 'rectangle') {
    const box = boundingBox(outline);
    return box ? [{ type: 'rectangle', points: boxPoints(box) }] : [];
  }
  const mask = toMask(outline, size);
  return mask ? [{ type: 'mask', points: mask }] : [];
}

/** Area in pixels²; infinite for shapes without an area, which are never too small. */
export function areaOf(outline: Outline): number {
  const { type, points } = outline;
  if (type === 'mask') return maskArea(points);
  if (type === 'polygon') return shoelaceArea(points);
  if (type === 'rectangle') {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
    return Math.abs((x2 - x1) * (y2 - y1));
  }
  if (type === 'ellipse') {
    const [x = 0, y = 0, right = 0, top = 0] = points;
    return Math.PI * Math.abs((right - x) * (y - top));
  }
  if (type === 'polyline' || type === 'points') return Infinity;
  const box = boundingBox(outline);
  return box ? (box.right - box.left) * (box.bottom - box.top) : Infinity;
}

/** True if a format exports the kind; null if unknown. */
export const fits = (support: SupportTable | undefined, kind: string): boolean | null => {
  if (!support) return null;
  // The table's keys are kinds.
  const found = support[kind as keyof SupportTable];
  return found !== undefined && found !== 'import';
};
