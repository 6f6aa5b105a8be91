import { isFiniteNumber } from './records.ts';

/** Largest excess of a score above its maximum that comes from 32-bit floats. */
const tolerance = 1e-6;

/**
 * Confidence of an object as a field of its shape. A missing score gives no field. Invalid values are passed to `lose`
 * as a rule. `whole` is the maximum: 1, or 100 for percent.
 */
export function readScore(
  value: unknown,
  lose: (rule: string) => void,
  whole: 1 | 100 = 1,
): { readonly score?: number } {
  if (value === undefined || value === null) return {};
  const share = isFiniteNumber(value) ? value / whole : -1;
  if (share < 0 || share > 1 + tolerance) {
    lose(`Scores must be from 0 to ${whole}.`);
    return {};
  }
  return { score: Math.min(share, 1) };
}
