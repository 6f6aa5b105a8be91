import type { ShapeType } from '../contract/annotation-names.ts';

/** Plane geometry in image pixels, y down. Points are flat x, y pairs; rings are closed implicitly. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface ShapeOutline {
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly rotation?: number;
  readonly outside?: boolean;
  readonly elements?: readonly ShapeOutline[];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Rotates a point about a centre. Positive degrees are clockwise on screen. */
export function rotatePoint(
  x: number,
  y: number,
  centerX: number,
  centerY: number,
  degrees: number,
): [x: number, y: number] {
  const cos = Math.cos(radians(degrees));
  const sin = Math.sin(radians(degrees));
  const dx = x - centerX;
  const dy = y - centerY;
  return [centerX + dx * cos - dy * sin, centerY + dx * sin + dy * cos];
}

/** Corners of a rectangle x1, y1, x2, y2 rotated about its centre: top left, top right, bottom right, bottom left. */
export function rotatedRectangleToPolygon(
  [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[],
  rotation: number,
): number[] {
  if (rotation % 360 === 0) return [x1, y1, x2, y1, x2, y2, x1, y2];
  const centerX = (x1 + x2) / 2;
  const centerY = (y1 + y2) / 2;
  return [
    ...rotatePoint(x1, y1, centerX, centerY, rotation),
    ...rotatePoint(x2, y1, centerX, centerY, rotation),
    ...rotatePoint(x2, y2, centerX, centerY, rotation),
    ...rotatePoint(x1, y2, centerX, centerY, rotation),
  ];
}

/** Bounding box of flat x, y pairs; null for an empty list. */
export function boxOfPoints(points: ArrayLike<number>): Box | null {
  if (points.length < 2) return null;
  let left = points[0]!;
  let top = points[1]!;
  let right = left;
  let bottom = top;
  for (let index = 2; index + 1 < points.length; index += 2) {
    const x = points[index]!;
    const y = points[index + 1]!;
    if (x < left) left = x;
    else if (x > right) right = x;
    if (y < top) top = y;
    else if (y > bottom) bottom = y;
  }
  return { left, top, right, bottom };
}

function ellipseBox([centerX = 0, centerY = 0, rightX = 0, topY = 0]: readonly number[], rotation: number): Box {
  const cos = Math.cos(radians(rotation));
  const sin = Math.sin(radians(rotation));
  const halfWidth = Math.hypot((rightX - centerX) * cos, (centerY - topY) * sin);
  const halfHeight = Math.hypot((rightX - centerX) * sin, (centerY - topY) * cos);
  return {
    left: centerX - halfWidth,
    top: centerY - halfHeight,
    right: centerX + halfWidth,
    bottom: centerY + halfHeight,
  };
}

/** Smallest box around all; null without any. */
export function uniteBoxes(boxes: readonly (Box | null)[]): Box | null {
  let all: Box | null = null;
  for (const box of boxes) {
    if (box === null) continue;
    all =
      all === null
        ? box
        : {
            left: Math.min(all.left, box.left),
            top: Math.min(all.top, box.top),
            right: Math.max(all.right, box.right),
            bottom: Math.max(all.bottom, box.bottom),
          };
  }
  return all;
}

/** Corners of a polygonal shape, including its rotation; null for other types. */
export function cornersOf({ type, points, rotation = 0 }: ShapeOutline): readonly number[] | null {
  switch (type) {
    case 'rectangle':
      return points.length < 4 ? [] : rotatedRectangleToPolygon(points, rotation);
    case 'polygon':
      return points;
    default:
      return null;
  }
}

/**
 * Axis-parallel bounding box of a shape of any type, including its rotation. Null if the shape is empty. A mask's box
 * ends at the right and bottom edges of its last pixels. Elements of a skeleton that are outside are ignored, unless
 * all are.
 */
export function boundingBox(shape: ShapeOutline): Box | null {
  const { type, points, rotation = 0, elements = [] } = shape;
  switch (type) {
    case 'ellipse':
      return points.length < 4 ? null : ellipseBox(points, rotation);
    case 'mask': {
      const [left, top, right, bottom] = points.slice(-4);
      if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null;
      return { left, top, right: right + 1, bottom: bottom + 1 };
    }
    case 'skeleton': {
      const visible = elements.filter((element) => element.outside !== true);
      return uniteBoxes((visible.length > 0 ? visible : elements).map(boundingBox));
    }
    default:
      return boxOfPoints(cornersOf(shape) ?? points);
  }
}

/** Area of a ring (shoelace formula); positive if it is clockwise on screen. */
export function signedPolygonArea(points: ArrayLike<number>): number {
  const end = points.length - (points.length % 2);
  if (end < 6) return 0;
  // Relative to the first point, because far from the origin the products would lose small differences.
  const originX = points[0]!;
  const originY = points[1]!;
  let doubled = 0;
  let x0 = points[end - 2]! - originX;
  let y0 = points[end - 1]! - originY;
  for (let index = 0; index < end; index += 2) {
    const x1 = points[index]! - originX;
    const y1 = points[index + 1]! - originY;
    doubled += x0 * y1 - x1 * y0;
    x0 = x1;
    y0 = y1;
  }
  return doubled / 2;
}

export const shoelaceArea = (points: ArrayLike<number>): number => Math.abs(signedPolygonArea(points));

/** Even-odd rule. Points exactly on the outline may be on either side. */
export function isPointInPolygon(x: number, y: number, points: ArrayLike<number>): boolean {
  const end = points.length - (points.length % 2);
  let isInside = false;
  let x0 = points[end - 2] ?? 0;
  let y0 = points[end - 1] ?? 0;
  for (let index = 0; index < end; index += 2) {
    const x1 = points[index]!;
    const y1 = points[index + 1]!;
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) isInside = !isInside;
    x0 = x1;
    y0 = y1;
  }
  return isInside;
}

export function distanceToSegment(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const squaredLength = dx * dx + dy * dy;
  const along = squaredLength === 0 ? 0 : ((x - x0) * dx + (y - y0) * dy) / squaredLength;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(x - (x0 + t * dx), y - (y0 + t * dy));
}

/**
 * Distance to the nearest segment. `isClosed` adds the segment from the last point to the first. Infinity without
 * points.
 */
export function distanceToPolyline(x: number, y: number, points: ArrayLike<number>, isClosed = false): number {
  const end = points.length - (points.length % 2);
  if (end === 0) return Infinity;
  let nearest = Math.hypot(x - points[0]!, y - points[1]!);
  for (let index = 2; index < end; index += 2) {
    const distance = distanceToSegment(
      x,
      y,
      points[index - 2]!,
      points[index - 1]!,
      points[index]!,
      points[index + 1]!,
    );
    if (distance < nearest) nearest = distance;
  }
  if (!isClosed) return nearest;
  return Math.min(nearest, distanceToSegment(x, y, points[end - 2]!, points[end - 1]!, points[0]!, points[1]!));
}

/** Intersection over union of two boxes; 0 if both are empty. */
export function boxIntersectionOverUnion(first: Box, second: Box): number {
  const width = Math.min(first.right, second.right) - Math.max(first.left, second.left);
  const height = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  const firstArea = (first.right - first.left) * (first.bottom - first.top);
  const secondArea = (second.right - second.left) * (second.bottom - second.top);
  return shared / (firstArea + secondArea - shared);
}

/** Convex hull (monotone chain), clockwise on screen, without collinear points. */
export function convexHull(points: ArrayLike<number>): number[] {
  const pairs: [number, number][] = [];
  for (let index = 0; index + 1 < points.length; index += 2) pairs.push([points[index]!, points[index + 1]!]);
  pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: readonly [number, number][]): [number, number][] => {
    const chain: [number, number][] = [];
    for (const point of ordered) {
      for (;;) {
        const a = chain.at(-2);
        const b = chain.at(-1);
        if (a === undefined || b === undefined) break;
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  const hull = [...half(pairs), ...half(pairs.toReversed())];
  return hull.length > 0 ? hull.flat() : [...(pairs[0] ?? [])];
}

export interface RotatedRectangle {
  /** x1, y1, x2, y2 before the rotation. */
  readonly points: [number, number, number, number];
  /** Degrees, clockwise on screen, 0 ≤ rotation < 360. */
  readonly rotation: number;
}

/**
 * Smallest rectangle of any rotation around the points; one of its sides is on a side of the convex hull. Of equivalent
 * results, returns the one with a rotation in 0..90. Null without points.
 */
export function minimumAreaRectangle(points: ArrayLike<number>): RotatedRectangle | null {
  const hull = convexHull(points);
  if (hull.length < 2) return null;
  let best: { area: number; angle: number; box: Box } | null = null;
  for (let index = 0; index < hull.length; index += 2) {
    const next = (index + 2) % hull.length;
    const quarter = Math.PI / 2;
    let angle = Math.atan2(hull[next + 1]! - hull[index + 1]!, hull[next]! - hull[index]!) % quarter;
    if (angle < 0) angle += quarter;
    if (angle >= quarter) angle = 0;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const turned = hull.map((_, place) =>
      place % 2 === 0 ? hull[place]! * cos + hull[place + 1]! * sin : hull[place]! * cos - hull[place - 1]! * sin,
    );
    const box = boxOfPoints(turned);
    if (box === null) continue;
    const area = (box.right - box.left) * (box.bottom - box.top);
    if (best === null || area < best.area) best = { area, angle, box };
  }
  if (best === null) return null;
  const { angle, box } = best;
  const middleX = (box.left + box.right) / 2;
  const middleY = (box.top + box.bottom) / 2;
  const centerX = middleX * Math.cos(angle) - middleY * Math.sin(angle);
  const centerY = middleX * Math.sin(angle) + middleY * Math.cos(angle);
  const halfWidth = (box.right - box.left) / 2;
  const halfHeight = (box.bottom - box.top) / 2;
  return {
    points: [centerX - halfWidth, centerY - halfHeight, centerX + halfWidth, centerY + halfHeight],
    rotation: (angle * 180) / Math.PI,
  };
}
