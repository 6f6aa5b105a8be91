import { figure } from '../statistics.ts';
import { boundsOf } from './bounds.ts';
import { cpuText, exponentText, sizeText } from './growth-table.ts';
import { growthOf, type Growth, type GrowthReport } from './report.ts';

const latest = 'now';
const linear = 1;

const megabytes = (bytes: number | null) => (bytes === null ? '–' : `${Math.round(bytes / 1e6)} MB`);
const milliseconds = (ms: number | null) => (ms === null ? '–' : `${figure(ms)} ms`);
const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');

/** The tables of the page, in Markdown. */
export function growthMarkdown(report: GrowthReport): string {
  const versions = [...new Set(report.rows.map(({ version }) => version))].toSorted();
  const bounds = boundsOf(report);
  const series = Map.groupBy(
    growthOf(report.rows).filter(({ version }) => version === latest),
    ({ series: name }) => name,
  );
  const parts = [...series].map(([name, growths]) => {
    const sizes = [...new Set(growths.flatMap((growth) => growth.sizes.map(({ size }) => size)))];
    const heading = `### ${name}\n\nSizes: ${sizes
      .toSorted((a, b) => a - b)
      .map(sizeText)
      .join(' / ')} ${growths[0]!.unit}.`;
    const rows = growths.map((growth) => [
      growth.operation,
      cpuText(growth),
      exponentText(growth.exponent),
      megabytes(growth.peakBytes),
      milliseconds(growth.waitMaxMs),
      milliseconds(growth.threadMaxMs),
    ]);
    return `${heading}\n\n${table(['Operation', 'CPU time', 'k', 'Peak memory', 'Longest wait', 'CPU in it'], rows)}`;
  });
  const boundTable = table(
    ['Operation', 'Size', 'Bound', ...versions],
    bounds.map(({ name, size, bound, values }) => [
      name,
      size,
      bound,
      ...versions.map((one) => values.get(one) ?? '–'),
    ]),
  );
  return [`Measured on: ${report.computer}.`, boundTable, ...parts].join('\n\n');
}

interface Theme {
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly fast: string;
  readonly slow: string;
}

/** Colours of the help pages. */
export const themes: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    background: '#ffffff',
    text: '#1b1e25',
    muted: '#59616d',
    line: '#e4e7ec',
    fast: '#2b4fbf',
    slow: '#b3410e',
  },
  dark: { background: '#16181d', text: '#e4e7ec', muted: '#a3aab6', line: '#2a2f39', fast: '#8fabf5', slow: '#f0a06a' },
};

const layout = { width: 860, top: 48, row: 18, name: 330, plot: 440, right: 60 } as const;
const highest = 2;

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A plot of the exponents: one bar for each operation, from 0 (flat) over 1 (linear) to 2 (quadratic). */
export function growthPlot(report: GrowthReport, theme: Theme): string {
  const growths = growthOf(report.rows).filter(
    (growth): growth is Growth & { exponent: number } => growth.version === latest && growth.exponent !== null,
  );
  const ordered = growths.toSorted((a, b) => b.exponent - a.exponent);
  const height = layout.top + ordered.length * layout.row + 16;
  const x = (exponent: number) => layout.name + (Math.min(highest, Math.max(0, exponent)) / highest) * layout.plot;
  const grid = [0, 0.5, 1, 1.5, 2].map(
    (k) =>
      `<path d="M${x(k)} ${layout.top - 6}V${height - 12}" stroke="${theme.line}"/>` +
      `<text x="${x(k)}" y="${layout.top - 12}" text-anchor="middle" font-size="11" fill="${theme.muted}">${k}</text>`,
  );
  const bars = ordered.map(({ operation, exponent }, index) => {
    const y = layout.top + index * layout.row;
    const color = exponent > linear + 0.15 ? theme.slow : theme.fast;
    return (
      `<text x="${layout.name - 10}" y="${y + 11}" text-anchor="end" font-size="11" fill="${theme.text}">${escape(operation)}</text>` +
      `<rect x="${layout.name}" y="${y + 2}" width="${Math.max(1, x(exponent) - layout.name)}" height="11" rx="2" fill="${color}"/>` +
      `<text x="${x(exponent) + 6}" y="${y + 11}" font-size="11" fill="${theme.muted}">${exponentText(exponent)}</text>`
    );
  });
  const size = `viewBox="0 0 ${layout.width} ${height}" width="${layout.width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="Exponents of the CPU time by size" font-family="Inter, system-ui, sans-serif">`,
    `<rect width="${layout.width}" height="${height}" rx="8" fill="${theme.background}"/>`,
    `<text x="16" y="24" font-size="13" font-weight="600" fill="${theme.text}">CPU time ~ size^k</text>`,
    ...grid,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}
