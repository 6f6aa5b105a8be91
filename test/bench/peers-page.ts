import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/node-executable.ts';
import { themes } from './support/growth/page.ts';
import { peersMarkdown, peersPlot } from './support/side-by-side/peers-page.ts';
import { readPeersReports } from './support/side-by-side/peers-report.ts';

/** Writes the figures of `npm run bench -- peers --json FILE` to the benchmarks page. */
const report = readPeersReports(process.argv.slice(2));
const docs = join(projectRoot, 'docs');
for (const [name, theme] of Object.entries(themes))
  writeFileSync(join(docs, 'images', `peers-${name}.svg`), peersPlot(report, theme));
const page = join(docs, 'benchmarks.md');
const [begin, end] = ['<!-- peers: begin -->', '<!-- peers: end -->'];
const text = readFileSync(page, 'utf8');
const [head, tail] = [text.split(begin)[0], text.split(end)[1]];
if (head === undefined || tail === undefined || !text.includes(begin)) throw new Error(`${page} has no ${begin}.`);
writeFileSync(page, `${head}${begin}\n\n${peersMarkdown(report)}\n\n${end}${tail}`);
