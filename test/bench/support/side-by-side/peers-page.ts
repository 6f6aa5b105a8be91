import { percentile } from '../statistics.ts';
import type { themes } from '../growth/page.ts';
import { cellText, reasonsOf, rowsOf, valueText, type PeersRow } from './peers-table.ts';
import type { PeersCell, PeersReport } from './peers-report.ts';

type Theme = (typeof themes)['light'];

const subject = 'Limner';
const isOwn = (program: string): boolean => program.startsWith(subject);

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');

const bestPeer = (row: PeersRow): PeersCell | null =>
  row.cells
    .filter(({ program, median }) => !isOwn(program) && median !== null)
    .toSorted((a, b) => a.median! - b.median!)[0] ?? null;

const ownCell = (row: PeersRow): PeersCell | undefined => row.cells.find(({ program }) => program === subject);

/** Compares Limner with the best of the others in a row. */
function standing(row: PeersRow): string {
  const [own, best] = [ownCell(row)?.median ?? null, bestPeer(row)];
  if (own === null) return 'not measured';
  if (best === null) return 'no other program';
  const ratio = Math.max(own, best.median!) / Math.max(1e-9, Math.min(own, best.median!));
  if (ratio < 1.05) return `as ${best.program}`;
  return own < best.median!
    ? `${ratio.toFixed(1)} × ahead of ${best.program}`
    : `${ratio.toFixed(1)} × behind ${best.program}`;
}

const roundsText = (rows: readonly PeersRow[]): string => {
  const counts = rows.flatMap(({ cells }) => cells.flatMap(({ rounds }) => (rounds === 0 ? [] : [rounds])));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const text = least === most ? `${least}` : `${least} to ${most}`;
  return text === '1' ? 'one round' : `${text} rounds`;
};

/** The section of the page, in Markdown. */
export function peersMarkdown(report: PeersReport): string {
  const rows = rowsOf(report);
  const load = report.load.map((value) => value.toFixed(1)).join(' to ');
  const reasons = reasonsOf(rows);
  const head = ['', ...report.programs.map(({ name, version }) => `${name} ${version}`), 'Limner and the best other'];
  const body = rows.map((row) => [row.title, ...row.cells.map((cell) => cellText(row, cell)), standing(row)]);
  const ranges = rows.map((row) => [
    row.title,
    ...row.cells.map((cell) =>
      cell.median === null
        ? '–'
        : `${valueText(cell.min, row.unit)} – ${valueText(cell.max, row.unit)} (${cell.values.length})`,
    ),
  ]);
  return [
    `Measured on ${report.date}: ${report.computer.replace(/, load .*$/, '')}, load ${load}, ${roundsText(rows)}. Medians; p95 where it is named.`,
    table(head, body),
    ...(reasons.length === 0
      ? []
      : ['Reasons of the cells without a figure:', reasons.map((text) => `- ${text}`).join('\n')]),
    'Lowest and highest value, and the number of values:',
    table(head.slice(0, -1), ranges),
  ].join('\n\n');
}

const layout = { width: 860, top: 56, bar: 13, gap: 14, name: 150, plot: 590, title: 17 } as const;
const decades = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A plot of all times on a logarithmic scale: a group for each row, a bar for each program. */
export function peersPlot(report: PeersReport, theme: Theme): string {
  const rows = rowsOf(report)
    .map((row) => ({ ...row, cells: row.cells.filter(({ median }) => median !== null) }))
    .filter(({ cells, unit }) => cells.length > 0 && unit === 'ms');
  const values = rows.flatMap(({ cells }) => cells.flatMap(({ median }) => [median!]));
  const low = Math.floor(Math.log10(Math.max(1, Math.min(...values))));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  const x = (value: number) =>
    layout.name + ((Math.log10(Math.max(1, value)) - low) / Math.max(1, high - low)) * layout.plot;
  const heightOf = (row: PeersRow) => layout.title + row.cells.length * layout.bar + layout.gap;
  const height = layout.top + rows.reduce((sum, row) => sum + heightOf(row), 0) + 4;
  const grid = decades
    .filter((value) => value >= 10 ** low && value <= 10 ** high)
    .map(
      (value) =>
        `<path d="M${x(value)} ${layout.top - 6}V${height - 12}" stroke="${theme.line}"/>` +
        `<text x="${x(value)}" y="${layout.top - 12}" text-anchor="middle" font-size="11" fill="${theme.muted}">${valueText(value, 'ms').replace(/\.0+ /, ' ')}</text>`,
    );
  let y: number = layout.top;
  const groups = rows.map((row) => {
    const title = `<text x="16" y="${y + 11}" font-size="11.5" font-weight="600" fill="${theme.text}">${escape(row.title)}</text>`;
    const bars = row.cells.map((cell, index) => {
      const top = y + layout.title + index * layout.bar;
      const color = cell.program === subject ? theme.slow : isOwn(cell.program) ? theme.muted : theme.fast;
      const width = Math.max(2, x(cell.median!) - layout.name);
      return (
        `<text x="${layout.name - 8}" y="${top + 9}" text-anchor="end" font-size="10.5" fill="${theme.text}">${escape(cell.program)}</text>` +
        `<rect x="${layout.name}" y="${top + 1}" width="${width.toFixed(1)}" height="9" rx="2" fill="${color}"/>` +
        `<text x="${(layout.name + width + 6).toFixed(1)}" y="${top + 9}" font-size="10.5" fill="${theme.muted}">${spreadText(row, cell)}</text>`
      );
    });
    y += heightOf(row);
    return title + bars.join('');
  });
  const size = `viewBox="0 0 ${layout.width} ${height}" width="${layout.width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="Waiting times of Limner and other programs" font-family="Inter, system-ui, sans-serif">`,
    `<rect width="${layout.width}" height="${height}" rx="8" fill="${theme.background}"/>`,
    `<text x="16" y="22" font-size="13" font-weight="600" fill="${theme.text}">Time, logarithmic</text>`,
    ...grid,
    ...groups,
    '</svg>',
    '',
  ].join('\n');
}

const spreadText = (row: PeersRow, { median, values }: PeersCell): string =>
  row.isSpread === true
    ? `${valueText(median!, row.unit)}, p95 ${valueText(percentile(values, 0.95), row.unit)}`
    : valueText(median!, row.unit);
