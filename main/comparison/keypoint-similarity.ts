/**
 * COCO's object keypoint similarity (OKS) of two points: 1 at distance 0. Rounds like Datumaro, which CVAT's quality
 * reports use; pycocotools divides in another order.
 * @param scale area in square pixels
 */
export const keypointSimilarity = (dx: number, dy: number, scale: number, sigma: number): number =>
  Math.exp(-(dx * dx + dy * dy) / (2 * Math.max(scale, Number.EPSILON) * (2 * sigma) ** 2));
