import { boundingBox, type Box, type ShapeOutline } from './geometry.ts';
import { maskFromRunLengths, maskToRunLengths } from './mask-runs.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Position of a shape relative to its frame:
 *
 * | inside    | completely, except for rounding errors, which are removed                     |
 * | ordered   | a box with swapped corners; they are sorted                                   |
 * | cut       | the part outside is clipped                                                   |
 * | hidden    | a skeleton with points outside, which become invisible                        |
 * | reaches   | a part is outside, but clipping would change the type of the shape: unchanged |
 * | outside   | completely outside: unchanged, and the caller drops it                        |
 */
export type FrameFit = 'inside' | 'ordered' | 'cut' | 'hidden' | 'reaches' | 'outside';

interface Fitted<Element> {
  readonly fit: FrameFit;
  readonly points: readonly number[];
  readonly elements?: readonly Element[];
}

/** Half of this is the rounding error of six-decimal fractions of a side, which most normalized formats write. */
const roundingShare = 1e-6;
/** A keypoint outside the image by up to this share of a side is moved to the border, as in Ultralytics. */
const borderShare = 0.01;

const within = (value: number, side: number): boolean => value >= 0 && value <= side;
const clamp = (value: number, side: number): number => Math.min(side, Math.max(0, value)) + 0;

/** True if the intervals overlap. An interval without length may be on the border. */
const overlaps = (low: number, high: number, side: number): boolean =>
  low === high ? within(low, side) : Math.min(high, side) > Math.max(low, 0);

export function pairsLieInside(points: ArrayLike<number>, count: number, { width, height }: Size): boolean {
  for (let index = 0; index + 1 < count; index += 2) {
    if (!within(points[index]!, width) || !within(points[index + 1]!, height)) return false;
  }
  return true;
}

const clampPairs = (points: readonly number[], { width, height }: Size): number[] =>
  points.map((value, index) => clamp(value, index % 2 === 0 ? width : height));

const isRounding = (points: readonly number[], clamped: readonly number[], { width, height }: Size): boolean =>
  points.every((value, index) => {
    const side = index % 2 === 0 ? width : height;
    return Math.abs(value - (clamped[index] ?? 0)) <= roundingShare * side;
  });

/** Clips pairs at one border (Sutherland and Hodgman). An open line may run along the border. */
function cutAt(
  points: readonly number[],
  { axis, border, keepsBelow }: { readonly axis: 0 | 1; readonly border: number; readonly keepsBelow: boolean },
  isClosed: boolean,
): number[] {
  const kept: number[] = [];
  const isKept = (index: number): boolean => {
    const value = points[index + axis] ?? 0;
    return keepsBelow ? value <= border : value >= border;
  };
  for (let index = 0; index < points.length; index += 2) {
    const before = index === 0 ? points.length - 2 : index - 2;
    if (isKept(index) !== isKept(before) && (isClosed || index > 0)) {
      const from = points[before + axis] ?? 0;
      const share = (border - from) / ((points[index + axis] ?? 0) - from);
      const other = 1 - axis;
      const start = points[before + other] ?? 0;
      const crossing = Number((start + share * ((points[index + other] ?? 0) - start)).toFixed(3));
      kept.push(...(axis === 0 ? [border, crossing] : [crossing, border]));
    }
    if (isKept(index)) kept.push(points[index] ?? 0, points[index + 1] ?? 0);
  }
  return kept;
}

function cutOutline(points: readonly number[], { width, height }: Size, isClosed: boolean): number[] {
  let cut: readonly number[] = points;
  for (const border of [
    { axis: 0, border: 0, keepsBelow: false },
    { axis: 0, border: width, keepsBelow: true },
    { axis: 1, border: 0, keepsBelow: false },
    { axis: 1, border: height, keepsBelow: true },
  ] as const)
    cut = cutAt(cut, border, isClosed);
  return [...cut];
}

function ordered([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): readonly number[] {
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** Clips a box, outline or points to the frame; null if nothing is left. */
function cutPairs({ type, points }: ShapeOutline, size: Size): readonly number[] | null {
  if (type === 'rectangle' || type === 'points') return clampPairs(points, size);
  const cut = cutOutline(points, size, type === 'polygon');
  return cut.length >= (type === 'polygon' ? 6 : 4) ? cut : null;
}

function isOutside(box: Box, { width, height }: Size): boolean {
  return !overlaps(box.left, box.right, width) || !overlaps(box.top, box.bottom, height);
}

function fitMask(points: readonly number[], size: Size): Fitted<never> {
  const [left = 0, top = 0, right = 0, bottom = 0] = points.slice(-4);
  if (left >= 0 && top >= 0 && right < size.width && bottom < size.height) return { fit: 'inside', points };
  const cut = isOutside({ left, top, right: right + 1, bottom: bottom + 1 }, size)
    ? null
    : maskFromRunLengths(maskToRunLengths(points, size.width, size.height));
  return cut === null ? { fit: 'outside', points } : { fit: 'cut', points: cut };
}

/** Moves a point that is slightly outside to the border, and hides one that is far outside. */
function fitElement<Element extends ShapeOutline>(element: Element, size: Size): Element {
  const { points, outside } = element;
  if (outside === true || !points.every(Number.isFinite) || pairsLieInside(points, points.length, size)) return element;
  const clamped = clampPairs(points, size);
  const isNear = points.every((value, index) => {
    const side = index % 2 === 0 ? size.width : size.height;
    return Math.abs(value - (clamped[index] ?? 0)) <= borderShare * side;
  });
  return { ...element, points: clamped, ...(isNear ? {} : { outside: true }) };
}

function fitSkeleton<Element extends ShapeOutline>(
  elements: readonly Element[],
  points: readonly number[],
  size: Size,
): Fitted<Element> {
  const fitted = elements.map((element) => fitElement(element, size));
  if (fitted.every((element, index) => element === elements[index])) return { fit: 'inside', points };
  const isGone = fitted.every(({ outside }) => outside === true);
  return isGone ? { fit: 'outside', points } : { fit: 'hidden', points, elements: fitted };
}

/**
 * Fits a shape into its frame. The only such rule, for imports, model results, and exports of formats that require it.
 */
export function fitToFrame<Element extends ShapeOutline>(
  shape: ShapeOutline & { readonly elements?: readonly Element[] },
  size: Size,
): Fitted<Element> {
  const { type, points, rotation = 0, elements = [] } = shape;
  if (type === 'mask') return fitMask(points, size);
  if (type === 'skeleton') return fitSkeleton(elements, points, size);
  // Callers reject numbers that are not finite.
  if (!points.every(Number.isFinite)) return { fit: 'inside', points };
  if (type === 'ellipse' || type === 'cuboid' || rotation % 180 !== 0) {
    const box = boundingBox(shape);
    if (
      !box ||
      (within(box.left, size.width) &&
        within(box.right, size.width) &&
        within(box.top, size.height) &&
        within(box.bottom, size.height))
    )
      return { fit: 'inside', points };
    return { fit: isOutside(box, size) ? 'outside' : 'reaches', points };
  }
  const inOrder = type === 'rectangle' ? ordered(points) : points;
  const isOrdered = inOrder.every((value, index) => value === points[index]);
  if (pairsLieInside(inOrder, inOrder.length, size))
    return isOrdered ? { fit: 'inside', points } : { fit: 'ordered', points: inOrder };
  const clamped = clampPairs(inOrder, size);
  if (isRounding(inOrder, clamped, size)) return { fit: isOrdered ? 'inside' : 'ordered', points: clamped };
  const box = boundingBox({ type: 'points', points: inOrder });
  const cut = !box || isOutside(box, size) ? null : cutPairs({ type, points: inOrder }, size);
  return cut === null ? { fit: 'outside', points } : { fit: 'cut', points: cut };
}
