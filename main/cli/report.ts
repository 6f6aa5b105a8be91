import { writeFile } from 'node:fs/promises';
import type { OutputOf } from '../../preload/contract/operation.ts';
import type { Operations } from '../../preload/contract/operations/index.ts';
import type { CliContext } from './context.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

export type Report = OutputOf<Operations['getRequestReport']>;

const shownBadRecords = 20;

/** The report of an import or export as lines for a person: counts, losses with their rule, records left out. */
export function reportLines(report: Report, verb: 'Imported' | 'Exported' | 'Can import'): string[] {
  const total = report.carried.reduce((sum, entry) => sum + entry.count, 0);
  return [
    `${verb} ${count(total, 'object')}${total === 0 ? '.' : ':'}`,
    ...table(report.carried.map((entry) => [String(entry.count), entry.type, entry.label])),
    ...section(
      'Could not be carried:',
      table(report.losses.map((loss) => [String(loss.count), loss.type, loss.label, loss.rule])),
    ),
    ...section(badTitle(report), [
      ...report.bad.slice(0, shownBadRecords).map((record) => `  ${record.file} at ${record.at}: ${record.reason}`),
      ...(report.badCount > shownBadRecords
        ? [`  … and ${report.badCount - Math.min(shownBadRecords, report.bad.length)} more (--report FILE lists them)`]
        : []),
    ]),
    ...section(
      'Notes:',
      report.warnings.map((warning) => `  ${warning}`),
    ),
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
    throw new CommandError(
      exitCodes.failed,
      `The work is done, but the report could not be written to ${file}: ${reason}`,
    );
  }
}

function badTitle(report: Report): string {
  return `${count(report.badCount, 'record')} could not be read and ${report.badCount === 1 ? 'was' : 'were'} left out:`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** Columns padded to their widest cell; the first, a number, to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    return `  ${cells.join('  ')}`.trimEnd();
  });
}
