import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/node-executable.ts';
import { growthMarkdown, growthPlot, themes } from './support/growth/page.ts';
import { readReports } from './support/growth/report.ts';

/** Writes the figures of `npm run bench -- growth --json FILE` to the benchmarks page. */
const files = process.argv.slice(2);
const report = readReports(files);
const docs = join(projectRoot, 'docs');
for (const [name, theme] of Object.entries(themes))
  writeFileSync(join(docs, 'images', `growth-${name}.svg`), growthPlot(report, theme));
const page = join(docs, 'benchmarks.md');
const [begin, end] = ['<!-- growth: begin -->', '<!-- growth: end -->'];
const text = readFileSync(page, 'utf8');
const [head, tail] = [text.split(begin)[0], text.split(end)[1]];
if (head === undefined || tail === undefined || !text.includes(begin)) throw new Error(`${page} has no ${begin}.`);
writeFileSync(page, `${head}${begin}\n\n${growthMarkdown(report)}\n\n${end}${tail}`);
