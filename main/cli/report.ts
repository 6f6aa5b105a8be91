import { writeFile } from 'node:fs/promises';
import type { OutputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import type { CliContext } from './context.ts';
import { failed } from './exit-codes.ts';
import { counted, tableLines } from './commands.ts';

export type Report = OutputOf<Operations['getRequestReport']>;

const shownBadRecords = 20;

/** Report of an import or export as text: counts, dropped objects with the rule, and records left out. */
export function reportLines(report: Report, verb: 'Imported' | 'Exported' | 'Can import'): string[] {
  const total = report.included.reduce((sum, entry) => sum + entry.count, 0);
  return [
    `${verb} ${counted(total, 'object')}${total === 0 ? '.' : ':'}`,
    ...table(report.included.map((entry) => [String(entry.count), entry.type, entry.label])),
    ...section(
      'Not supported by the format:',
      table(report.dropped.map((loss) => [String(loss.count), loss.type, loss.label, loss.rule])),
    ),
    ...section(badTitle(report), [
      ...report.invalid.slice(0, shownBadRecords).map((record) => `  ${record.file} at ${record.at}: ${record.reason}`),
      ...(report.invalidCount > shownBadRecords
        ? [
            `  … and ${report.invalidCount - Math.min(shownBadRecords, report.invalid.length)} more (--report FILE lists them)`,
          ]
        : []),
    ]),
    ...section(
      'Notes:',
      report.warnings.map((warning) => `  ${warning}`),
    ),
  ];
}

/** Preview of an import as text: the file's contents and how they match the task. */
export function inspectionLines({ labels, frames, subsets }: NonNullable<Report['preview']>): string[] {
  const { stated, matched, total, unmatched, unmatchedCount, fitting } = frames;
  const missing = labels.filter(({ known }) => !known);
  return [
    stated > 0
      ? `${counted(stated, 'image')} in the file, ${matched} of the task's ${counted(total, 'frame')} found (by name ${fitting.name}, by number ${fitting.number}, in order ${fitting.order}).`
      : `The file refers to ${matched} of the task's ${counted(total, 'frame')}.`,
    ...section(
      `${counted(unmatchedCount, 'image')} without a frame:`,
      unmatchedCount === 0
        ? []
        : [
            ...unmatched.slice(0, shownBadRecords).map((name) => `  ${name}`),
            ...(unmatchedCount > shownBadRecords ? [`  … and ${unmatchedCount - shownBadRecords} more`] : []),
          ],
    ),
    ...section(
      'Labels that the task lacks:',
      table(missing.map(({ name, count: objects, types }) => [String(objects), name, types.join(', ')])),
    ),
    ...(subsets.length > 1 ? [`Subsets: ${subsets.join(', ')}.`] : []),
  ];
}

export async function showReport(
  context: CliContext,
  report: Report,
  verb: 'Imported' | 'Exported' | 'Can import',
  file: string | undefined,
): Promise<void> {
  for (const line of reportLines(report, verb)) context.print(line);
  if (file === undefined) return;
  try {
    await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failed(`The work is done, but the report cannot be written to ${file}: ${reason}`);
  }
}

function badTitle(report: Report): string {
  return `${counted(report.invalidCount, 'invalid record')} ${report.invalidCount === 1 ? 'was' : 'were'} skipped:`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

const table = (rows: readonly (readonly string[])[]): string[] => tableLines(rows, true).map((line) => `  ${line}`);
