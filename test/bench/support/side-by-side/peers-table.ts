import { figure, percentile } from '../statistics.ts';
import { printNote, printTable } from '../table.ts';
import { measures, type Row } from './measures.ts';
import { cellOf, type PeersCell, type PeersReport } from './peers-report.ts';

export interface PeersRow extends Row {
  readonly part: string;
  readonly cells: readonly PeersCell[];
}

/** Rows of the parts that were measured, with a cell for each program. */
export function rowsOf(report: PeersReport): PeersRow[] {
  const parts = new Set(report.figures.map(({ part }) => part));
  return Object.entries(measures)
    .filter(([part]) => parts.has(part))
    .flatMap(([part, { rows }]) =>
      rows.map((row) => ({
        ...row,
        part,
        cells: report.programs.map(({ name }) => cellOf(report, part, row.name, name)),
      })),
    );
}

/** A value with its unit: seconds from one second. */
export function valueText(value: number, unit: Row['unit']): string {
  if (unit === 'bytes') return `${Math.round(value / 1e6).toLocaleString('en-US')} MB`;
  return value >= 1000 ? `${figure(value / 1000)} s` : `${figure(value)} ms`;
}

export function cellText({ unit, isSpread }: Row, cell: PeersCell): string {
  if (cell.median === null) return '–';
  const spread = isSpread === true ? ` (p95 ${valueText(percentile(cell.values, 0.95), unit)})` : '';
  return `${valueText(cell.median, unit)}${spread}`;
}

export function printPeers(report: PeersReport): void {
  const rows = rowsOf(report);
  printTable(
    `Beside other programs: medians, load ${report.load.map((value) => value.toFixed(1)).join(' to ')}`,
    ['', ...report.programs.map(({ name, version }) => `${name} ${version}`)],
    rows.map((row) => [row.title, ...row.cells.map((cell) => cellText(row, cell))]),
  );
  for (const text of reasonsOf(rows)) printNote(text);
}

/** Reasons of the cells without figures, each once. */
export function reasonsOf(rows: readonly PeersRow[]): string[] {
  const missing = rows.flatMap((row) =>
    row.cells.flatMap(({ program, reason }) => (reason === null ? [] : [{ program, reason, title: row.title }])),
  );
  return [...Map.groupBy(missing, ({ program, reason }) => `${program}: ${reason}`)].map(
    ([text, all]) => `${text} (${all.map(({ title }) => title).join('; ')})`,
  );
}
