import type { FormatSummary } from '../../../formats/kit/report.ts';
import { counted, sumOf } from '../../import/import-message.ts';

/** Reasons why no object was imported, the most useful first. */
function reasons({ included, dropped, invalid, invalidCount }: FormatSummary, place: string): string {
  const [firstBad] = invalid;
  const [largest] = dropped.toSorted((a, b) => b.count - a.count);
  const found = [
    ...(firstBad
      ? [
          `${counted(invalidCount, 'record')} could not be read (the first: ${firstBad.file} at ${firstBad.at}, ${firstBad.reason})`,
        ]
      : []),
    ...(largest ? [`${counted(sumOf(dropped), 'object')} left out (${largest.rule})`] : []),
    ...(included.length > 0 ? [`${counted(sumOf(included), 'object')} on frames that are not in the ${place}`] : []),
  ];
  return found.length === 0 ? 'it has no annotations' : found.join('; ').replaceAll(/\.(?=\)|$)/g, '');
}

interface ReadFile {
  readonly file: string;
  readonly format: string;
  readonly place: 'task' | 'job';
  readonly present: number;
  readonly isDryRun: boolean;
}

/** Message of an import that stops because it would replace annotations by nothing. */
export function nothingUsable(summary: FormatSummary, { file, format, place, present, isDryRun }: ReadFile): string {
  const there = `the ${counted(present, 'annotation')} of the ${place}`;
  const done = isDryRun
    ? `An import that replaces would stop here and keep ${there}.`
    : `The import stopped before it replaced anything: ${there} ${present === 1 ? 'is' : 'are'} unchanged.`;
  const next = isDryRun ? 'Choose' : 'Check the file first ("Check first", dry_run), and choose';
  return (
    `Cannot use ${file} as ${format}: ${reasons(summary, place)}. ${done} ` +
    `${next} frames and labels that match; to delete annotations on purpose, use "Clear annotations".`
  );
}
