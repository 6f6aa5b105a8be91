import type { Issue } from '../../../../../preload/contract/schema/review.ts';
import { boxOfPoints, isEmptyBox } from '../../../../canvas/geometry/box.ts';
import type { Box } from '../../../../canvas/types.ts';

/** The box around an issue's points, image pixels; a single point has no size. */
export function boxOfIssue({ position }: Pick<Issue, 'position'>): Box {
  const box = boxOfPoints(position);
  return isEmptyBox(box) ? { left: 0, top: 0, right: 0, bottom: 0 } : box;
}

export const positionOf = ({ left, top, right, bottom }: Box): number[] => [left, top, right, bottom];

/**
 * The issue after (1) or before (−1) the chosen one, else after or before the frame; round and round. `issues` by
 * rising frame. Null: there is none.
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
