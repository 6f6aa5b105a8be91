import { createFormatReport, maxBadRecords, type FormatSummary } from '../../formats/kit/report.ts';

/** One report of several: counts of the same kind are added. */
export function mergedSummaries(summaries: readonly FormatSummary[]): FormatSummary {
  const report = createFormatReport();
  for (const { carried, losses, warnings } of summaries) {
    for (const { type, label, count } of carried) report.carried(type, label, count);
    for (const { type, label, rule, count } of losses) report.lost(type, label, rule, count);
    for (const warning of warnings) report.warn(warning);
  }
  return {
    ...report.summary(),
    bad: summaries.flatMap(({ bad }) => bad).slice(0, maxBadRecords),
    badCount: summaries.reduce((sum, { badCount }) => sum + badCount, 0),
  };
}
