import type { Issue } from '../../../../../preload/contract/schema/review.ts';
import { boxOfPoints, isEmptyBox } from '../../../../canvas/geometry/box.ts';
import type { Box } from '../../../../canvas/types.ts';

/** Box around an issue's points in image pixels; a single point has zero size. */
export function boxOfIssue({ position }: Pick<Issue, 'position'>): Box {
  const box = boxOfPoints(position);
  return isEmptyBox(box) ? { left: 0, top: 0, right: 0, bottom: 0 } : box;
}

export const positionOf = ({ left, top, right, bottom }: Box): number[] => [left, top, right, bottom];

/**
 * Next (1) or previous (−1) issue relative to the chosen one or the frame, wrapping around. `issues` are sorted by
 * frame. Null if there are none.
 */
export function stepIssue(
  issues: readonly Pick<Issue, 'id' | 'frame'>[],
  from: { readonly frame: number; readonly chosen: number | null },
  by: 1 | -1,
): number | null {
  const now = issues.findIndex(({ id }) => id === from.chosen);
  if (now >= 0) return issues[(now + by + issues.length) % issues.length]?.id ?? null;
  const found =
    by === 1 ? issues.find(({ frame }) => frame >= from.frame) : issues.findLast(({ frame }) => frame <= from.frame);
  return (found ?? (by === 1 ? issues[0] : issues.at(-1)))?.id ?? null;
}
