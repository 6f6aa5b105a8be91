import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/node-executable.ts';
import { growthMarkdown, growthPlot, themes } from './support/growth/page.ts';
import { readReports } from './support/growth/report.ts';
import { peersMarkdown, peersPlot } from './support/side-by-side/peers-page.ts';
import { readPeersReports } from './support/side-by-side/peers-report.ts';
import { readStartReport, startMarkdown, startPlot } from './support/startup/start-report.ts';

type Theme = (typeof themes)['light'];

interface Section {
  readonly markdown: string;
  readonly plot: (theme: Theme) => string;
}

/** Sections of the benchmarks page by benchmark, from the files of its `--json`. */
const sections: Readonly<Record<string, (files: readonly string[]) => Section>> = {
  growth(files) {
    const report = readReports(files);
    return { markdown: growthMarkdown(report), plot: (theme) => growthPlot(report, theme) };
  },
  peers(files) {
    const report = readPeersReports(files);
    return { markdown: peersMarkdown(report), plot: (theme) => peersPlot(report, theme) };
  },
  startup([file = '']) {
    const report = readStartReport(file);
    return { markdown: startMarkdown(report), plot: (theme) => startPlot(report, theme) };
  },
};

const [name = '', ...files] = process.argv.slice(2);
const section = sections[name];
if (section === undefined || files.length === 0)
  throw new Error(`Usage: node test/bench/write-page.ts ${Object.keys(sections).join('|')} FILE…`);
const { markdown, plot } = section(files);
const docs = join(projectRoot, 'docs');
for (const [theme, colors] of Object.entries(themes))
  writeFileSync(join(docs, 'images', `${name}-${theme}.svg`), plot(colors));
const page = join(docs, 'benchmarks.md');
const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
const text = readFileSync(page, 'utf8');
const [head, tail] = [text.split(begin)[0], text.split(end)[1]];
if (head === undefined || tail === undefined || !text.includes(begin)) throw new Error(`${page} has no ${begin}.`);
writeFileSync(page, `${head}${begin}\n\n${markdown}\n\n${end}${tail}`);
