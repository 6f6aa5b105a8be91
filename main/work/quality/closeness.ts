/**
 * Similarity of two points by COCO's object keypoint similarity (OKS): 1 at distance 0.
 * @param scale area in square pixels
 */
export function closeness(dx: number, dy: number, scale: number, sigma: number): number {
  return Math.exp(-(dx * dx + dy * dy) / (2 * Math.max(scale, Number.EPSILON) * (2 * sigma) ** 2));
}
