import { readFileSync, writeFileSync } from 'node:fs';
import { exponentOf } from './exponent.ts';
import type { Figures, Refusal, Waits } from './service-under-test.ts';

export interface GrowthRow {
  readonly part: string;
  readonly series: string;
  readonly unit: string;
  readonly operation: string;
  readonly version: string;
  readonly size: number;
  readonly figures: Figures | Refusal;
}

export interface IdleWaits extends Waits {
  readonly version: string;
}

export interface GrowthReport {
  readonly isLong: boolean;
  /** Node, CPU and load of the computer. */
  readonly computer: string;
  readonly rows: readonly GrowthRow[];
  readonly idle: readonly IdleWaits[];
}

export const isMeasured = (figures: Figures | Refusal): figures is Figures => !('reason' in figures);

export const writeReport = (path: string, report: GrowthReport): void =>
  writeFileSync(path, `${JSON.stringify(report, null, 1)}\n`);

/** One report of several runs, each of other parts. */
export function readReports(paths: readonly string[]): GrowthReport {
  const reports = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')) as GrowthReport);
  const [first] = reports;
  if (first === undefined) throw new Error('No report. Write one with: npm run bench -- growth --json FILE');
  return { ...first, rows: reports.flatMap(({ rows }) => rows), idle: reports.flatMap(({ idle }) => idle) };
}

export interface Growth {
  readonly part: string;
  readonly series: string;
  readonly unit: string;
  readonly operation: string;
  readonly version: string;
  /** By size, in ascending order. */
  readonly sizes: readonly { readonly size: number; readonly figures: Figures | Refusal }[];
  readonly exponent: number | null;
  readonly peakBytes: number | null;
  readonly waitMaxMs: number | null;
  /** CPU time of the answering thread during one wait. */
  readonly threadMaxMs: number | null;
}

/** Cost below this is noise of the clock ticks and says nothing about the growth. */
const leastCpuMs = 1;

/** All sizes of each operation and version together, in the order of the rows. */
export function growthOf(rows: readonly GrowthRow[]): Growth[] {
  const groups = Map.groupBy(rows, ({ part, operation, version }) => JSON.stringify([part, operation, version]));
  return [...groups.values()].map((group) => {
    const { part, series, unit, operation, version } = group[0]!;
    const measured = group.flatMap(({ size, figures }) => (isMeasured(figures) ? [{ size, figures }] : []));
    const largest = (pick: (figures: Figures) => number) =>
      measured.length === 0 ? null : Math.max(...measured.map(({ figures }) => pick(figures)));
    return {
      part,
      series,
      unit,
      operation,
      version,
      sizes: group.map(({ size, figures }) => ({ size, figures })).toSorted((a, b) => a.size - b.size),
      exponent: exponentOf(measured.map(({ size, figures }) => [size, Math.max(leastCpuMs, figures.cpuMs)])),
      peakBytes: largest(({ peakBytes }) => peakBytes),
      waitMaxMs: largest(({ waits }) => waits.maxMs),
      threadMaxMs: largest(({ waits }) => waits.threadMaxMs),
    };
  });
}
