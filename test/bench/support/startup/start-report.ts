import { readFileSync, writeFileSync } from 'node:fs';
import type { themes } from '../growth/page.ts';
import { asRatio, inMilliseconds, median } from '../statistics.ts';
import { printNote, printTable } from '../table.ts';
import type { Moments } from './window-start.ts';

type Theme = (typeof themes)['light'];

/** All starts of a run: the browser alone with an empty page, with used and with new folders. */
export interface WindowStarts {
  readonly browser: number[];
  readonly again: Moments[];
  readonly first: Moments[];
}

export interface StartReport {
  readonly computer: string;
  readonly date: string;
  readonly starts: WindowStarts;
}

const titles = { again: 'Later start', first: 'First start' } as const;

/** Parts of a start from one moment to another. They overlap, because service and browser start at the same time. */
const spans: readonly { readonly name: string; readonly from: keyof Moments | null; readonly to: keyof Moments }[] = [
  { name: 'Process (Node.js)', from: null, to: 'process' },
  { name: 'Program until it listens', from: 'process', to: 'listening' },
  { name: 'Store and service', from: 'listening', to: 'ready' },
  { name: 'Browser until it requests the page', from: 'listening', to: 'navigation' },
  { name: 'Page', from: 'navigation', to: 'html' },
  { name: 'Scripts', from: 'html', to: 'scripts' },
  { name: 'First list', from: 'requested', to: 'listed' },
  { name: 'Painting', from: 'listed', to: 'complete' },
];

type Kind = keyof typeof titles;

const spansOf = (moments: readonly Moments[]) =>
  spans.map(({ name, from, to }) => ({
    name,
    from: from === null ? 0 : median(moments.map((one) => one[from])),
    to: median(moments.map((one) => one[to])),
  }));

const kinds = Object.keys(titles) as Kind[];

export function printStarts(starts: WindowStarts): void {
  const alone = median(starts.browser);
  const ends = Object.fromEntries(kinds.map((kind) => [titles[kind], starts[kind].map((one) => one.complete)]));
  printTable(
    'Start-up: process to complete window',
    ['', 'median', 'best', 'ratio'],
    Object.entries({ 'Chromium alone, empty page': starts.browser, ...ends }).map(([name, values]) => [
      name,
      inMilliseconds(median(values)),
      inMilliseconds(Math.min(...values)),
      asRatio(median(values), alone),
    ]),
  );
  for (const kind of kinds)
    printTable(
      `${titles[kind]}, medians`,
      ['', 'from', 'to'],
      spansOf(starts[kind]).map(({ name, from, to }) => [name, inMilliseconds(from), inMilliseconds(to)]),
    );
  printNote('A window is complete at its last change of pixels, after which nothing changes for 1.5 s.');
}

export const writeStartReport = (path: string, report: StartReport): void =>
  writeFileSync(path, `${JSON.stringify(report, null, 1)}\n`);

export const readStartReport = (path: string): StartReport => JSON.parse(readFileSync(path, 'utf8')) as StartReport;

/** The section of the page, in Markdown. */
export function startMarkdown({ computer, date, starts }: StartReport): string {
  const alone = median(starts.browser);
  const row = (name: string, values: readonly number[]): string =>
    `| ${[name, inMilliseconds(median(values)), inMilliseconds(Math.min(...values)), inMilliseconds(Math.max(...values)), asRatio(median(values), alone)].join(' | ')} |`;
  return [
    `Measured on ${date}: ${computer}, ${starts.browser.length} rounds in turns.`,
    [
      '|  | Median | Lowest | Highest | Beside Chromium alone |',
      '| --- | ---: | ---: | ---: | ---: |',
      row('Chromium alone, empty page', starts.browser),
      ...kinds.map((kind) =>
        row(
          titles[kind],
          starts[kind].map(({ complete }) => complete),
        ),
      ),
    ].join('\n'),
  ].join('\n\n');
}

const layout = { width: 860, top: 44, row: 20, name: 250, plot: 560, title: 24, gap: 14 } as const;
const stepMs = 500;

/** A plot of both starts: a bar for each part, from its begin to its end. */
export function startPlot({ starts }: StartReport, theme: Theme): string {
  const groups = kinds.map((kind) => ({ title: titles[kind], parts: spansOf(starts[kind]) }));
  const alone = median(starts.browser);
  const end = Math.max(alone, ...groups.flatMap(({ parts }) => parts.map(({ to }) => to)));
  const last = Math.ceil(end / stepMs) * stepMs;
  const x = (ms: number): number => layout.name + (ms / last) * layout.plot;
  const height = layout.top + groups.length * (layout.title + spans.length * layout.row + layout.gap) + 4;
  const grid = Array.from({ length: last / stepMs + 1 }, (_, index) => index * stepMs).map(
    (ms) =>
      `<path d="M${x(ms)} ${layout.top - 6}V${height - 8}" stroke="${theme.line}"/>` +
      `<text x="${x(ms)}" y="${layout.top - 12}" text-anchor="middle" font-size="11" fill="${theme.muted}">${ms / 1000} s</text>`,
  );
  let y: number = layout.top;
  const bars = groups.map(({ title, parts }) => {
    const heading = `<text x="16" y="${y + 15}" font-size="12" font-weight="600" fill="${theme.text}">${title}</text>`;
    y += layout.title;
    const rows = parts.map(({ name, from, to }) => {
      const top = y;
      y += layout.row;
      const width = Math.max(2, x(to) - x(from));
      return (
        `<text x="${layout.name - 10}" y="${top + 13}" text-anchor="end" font-size="11" fill="${theme.text}">${name}</text>` +
        `<rect x="${x(from).toFixed(1)}" y="${top + 4}" width="${width.toFixed(1)}" height="12" rx="2" fill="${theme.fast}"/>` +
        `<text x="${(x(to) + 6).toFixed(1)}" y="${top + 13}" font-size="10.5" fill="${theme.muted}">${inMilliseconds(to)}</text>`
      );
    });
    y += layout.gap;
    return heading + rows.join('');
  });
  const size = `viewBox="0 0 ${layout.width} ${height}" width="${layout.width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="Parts of a start" font-family="Inter, system-ui, sans-serif">`,
    `<rect width="${layout.width}" height="${height}" rx="8" fill="${theme.background}"/>`,
    ...grid,
    `<path d="M${x(alone)} ${layout.top - 6}V${height - 8}" stroke="${theme.slow}" stroke-dasharray="4 3"/>`,
    `<text x="${x(alone) + 4}" y="${height - 10}" font-size="10.5" fill="${theme.slow}">Chromium alone</text>`,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}
