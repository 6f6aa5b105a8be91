import type { FormatSummary } from '../../formats/kit/report.ts';

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Total of the counts of report entries. */
export const sumOf = (entries: readonly { readonly count: number }[]): number =>
  entries.reduce((sum, { count }) => sum + count, 0);

/** One sentence about imported, dropped and changed objects. */
export function importMessage({ included, dropped, invalidCount }: FormatSummary, isDryRun = false): string {
  const droppedCount = sumOf(dropped);
  const parts = [`${counted(sumOf(included), 'object')} ${isDryRun ? 'can be imported' : 'imported'}`];
  if (invalidCount > 0) parts.push(`${invalidCount} could not be read`);
  if (droppedCount > 0) parts.push(`${droppedCount} left out or changed`);
  return `${parts.join(', ')}.`;
}
