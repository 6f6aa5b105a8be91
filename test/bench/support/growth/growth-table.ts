import { figure, inMegabytes, inMilliseconds, median } from '../statistics.ts';
import { printNote, printTable } from '../table.ts';
import { boundsOf } from './bounds.ts';
import { growthOf, isMeasured, type Growth, type GrowthReport, type GrowthRow, type IdleWaits } from './report.ts';

const inTime = (ms: number): string => (ms >= 1000 ? `${figure(ms / 1000)} s` : `${figure(ms)} ms`);
export const sizeText = (size: number): string => size.toLocaleString('en-US');
export const exponentText = (exponent: number | null): string =>
  exponent === null ? '–' : Math.max(0, exponent).toFixed(1);
const orDash = (value: number | null, text: (value: number) => string) => (value === null ? '–' : text(value));

/** CPU time by size; a size without figures shows its reason. */
export const cpuText = ({ sizes }: Growth): string =>
  sizes.map(({ figures }) => (isMeasured(figures) ? inTime(figures.cpuMs) : figures.reason)).join(' / ');

const growthHead = ['operation', 'CPU time', 'k', 'peak memory', 'longest wait', 'CPU in it'];
const growthCells = (growth: Growth): string[] => [
  cpuText(growth),
  exponentText(growth.exponent),
  inMegabytes(growth.peakBytes),
  orDash(growth.waitMaxMs, inMilliseconds),
  orDash(growth.threadMaxMs, inMilliseconds),
];

export function printGrowth(rows: readonly GrowthRow[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const sizes = [...new Set(rows.map(({ size }) => size))].toSorted((a, b) => a - b).map(sizeText);
  const isCompared = new Set(rows.map(({ version }) => version)).size > 1;
  printTable(
    `${first.series}: ${sizes.join(' / ')} ${first.unit}`,
    growthHead,
    growthOf(rows).map((growth) => [
      isCompared ? `${growth.operation} (${growth.version})` : growth.operation,
      ...growthCells(growth),
    ]),
  );
}

export function printBounds(report: GrowthReport): void {
  const bounds = boundsOf(report);
  if (bounds.length === 0) return;
  const versions = [...new Set(report.rows.map(({ version }) => version))].toSorted();
  printTable(
    'Bounds',
    ['operation', 'size', 'bound', ...versions],
    bounds.map(({ name, size, bound, values }) => [
      name,
      size,
      bound,
      ...versions.map((one) => values.get(one) ?? '–'),
    ]),
  );
  const anchor = versions.map((version) => {
    const waits = report.idle.filter((one) => one.version === version);
    const p99 = inMilliseconds(median(waits.map(({ p99Ms }) => p99Ms)));
    const longest = (pick: (one: IdleWaits) => number) => inMilliseconds(Math.max(...waits.map(pick)));
    return `${version}: p99 ${p99}, longest ${longest(({ maxMs }) => maxMs)} (CPU ${longest(({ threadMaxMs }) => threadMaxMs)})`;
  });
  printNote(`Anchor, the other client beside an idle service: ${anchor.join('; ')}.`);
  printNote(
    'k: exponent of CPU time by size. Waits: the longest of all sizes, and the CPU time of the answering thread in',
  );
  printNote('one wait, which does not depend on the load of the computer.');
}
