import type { FormatSummary } from '../../formats/kit/report.ts';

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Total of the counts of report entries. */
export const sumOf = (entries: readonly { readonly count: number }[]): number =>
  entries.reduce((sum, { count }) => sum + count, 0);

/** One sentence about imported objects, losses and changes. */
export function importMessage({ carried, losses, badCount }: FormatSummary, isDryRun = false): string {
  const lost = sumOf(losses);
  const parts = [`${counted(sumOf(carried), 'object')} ${isDryRun ? 'can be imported' : 'imported'}`];
  if (badCount > 0) parts.push(`${badCount} could not be read`);
  if (lost > 0) parts.push(`${lost} left out or changed`);
  return `${parts.join(', ')}.`;
}
