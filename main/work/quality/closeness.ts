/**
 * How close two points are, as COCO's key point similarity measures it: 1 at no distance.
 * @param scale area in square pixels
 */
export function closeness(dx: number, dy: number, scale: number, sigma: number): number {
  return Math.exp(-(dx * dx + dy * dy) / (2 * Math.max(scale, Number.EPSILON) * (2 * sigma) ** 2));
}
