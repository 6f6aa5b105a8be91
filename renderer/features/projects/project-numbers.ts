import type { Statistics } from '../../../preload/contract/schema/statistics.ts';

/** Objects and tracks by label, the most frequent first. */
export const objectsByLabel = ({ labels }: Statistics) =>
  labels
    .map(({ id, name, color, kinds }) => ({
      key: id,
      name,
      color,
      count: kinds.reduce((sum, { objects, tracks }) => sum + objects + tracks, 0),
    }))
    .toSorted((a, b) => b.count - a.count);
