import { readFileSync, writeFileSync } from 'node:fs';
import { median } from '../statistics.ts';

/** Figures of one program in one row and one round. */
export interface PeersFigure {
  readonly part: string;
  /** Null where the complete part failed. */
  readonly row: string | null;
  readonly program: string;
  /** Milliseconds, or bytes in the rows of memory. */
  readonly values: readonly number[];
  readonly reason: string | null;
  /** The program has no such row, so it is not tried again. */
  readonly isFinal: boolean;
}

export interface PeersReport {
  readonly computer: string;
  readonly date: string;
  /** Lowest and highest load of the computer when a measurement began. */
  readonly load: readonly [number, number];
  readonly programs: readonly { readonly name: string; readonly version: string }[];
  readonly figures: readonly PeersFigure[];
}

export const writePeersReport = (path: string, report: PeersReport): void =>
  writeFileSync(path, `${JSON.stringify(report, null, 1)}\n`);

/** One report of several runs, each of other parts or programs. */
export function readPeersReports(paths: readonly string[]): PeersReport {
  const reports = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')) as PeersReport);
  const [first] = reports;
  if (first === undefined) throw new Error('No report. Write one with: npm run bench -- peers --json FILE');
  const programs = new Map(reports.flatMap((one) => one.programs).map((program) => [program.name, program]));
  return {
    ...first,
    load: [Math.min(...reports.map(({ load }) => load[0])), Math.max(...reports.map(({ load }) => load[1]))],
    programs: [...programs.values()],
    figures: reports.flatMap(({ figures }) => figures),
  };
}

export interface PeersCell {
  readonly program: string;
  /** Null without figures. */
  readonly median: number | null;
  readonly min: number;
  readonly max: number;
  /** All values of all rounds. */
  readonly values: readonly number[];
  readonly rounds: number;
  readonly reason: string | null;
}

/** The cell of a program in a row. A failed part gives its reason to all of its rows. */
export function cellOf(report: PeersReport, part: string, row: string, program: string): PeersCell {
  const own = report.figures.filter((one) => one.program === program && one.part === part);
  const measured = own.filter((one) => one.row === row && one.reason === null);
  const values = measured.flatMap((one) => one.values);
  const reason = own.find((one) => (one.row === row || one.row === null) && one.reason !== null)?.reason ?? null;
  const range = { min: Math.min(...values), max: Math.max(...values) };
  const found = values.length === 0 ? null : median(values);
  return { program, median: found, ...range, values, rounds: measured.length, reason: found === null ? reason : null };
}
