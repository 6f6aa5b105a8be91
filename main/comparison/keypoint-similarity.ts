/**
 * COCO's object keypoint similarity (OKS) of two points, in the order of operations of pycocotools: 1 at distance 0.
 * @param scale area in square pixels
 */
export const keypointSimilarity = (dx: number, dy: number, scale: number, sigma: number): number =>
  Math.exp(-((dx * dx + dy * dy) / (sigma * 2) ** 2 / (scale + Number.EPSILON) / 2));
