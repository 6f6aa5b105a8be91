import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownerPassword, serverEntries, startServer } from '../support/server.ts';
import { startAnchor } from './support/anchor-process.ts';
import type { BenchOptions } from './support/options.ts';
import { endWithThisProcess } from './support/side-by-side/processes.ts';
import { openScreen } from './support/side-by-side/screen.ts';
import { printStarts, writeStartReport, type WindowStarts } from './support/startup/start-report.ts';
import { copyOfUsed, startBrowserAlone, startWindow } from './support/startup/window-start.ts';
import { asRatio, inMegabytes, inMilliseconds, median } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 9;
const windowRounds = 5;

interface Candidate {
  readonly name: string;
  readonly start: () => Promise<{ readyMs: number; memoryBytes: number | null }>;
}

/**
 * Measures from the start of the process to its ready line, with an existing store; and to the complete window, with
 * the data directory and the browser's profile of an earlier start, and with new ones.
 */
export async function bench({ rounds, part, json, computer }: BenchOptions): Promise<void> {
  if (part !== null && part !== 'service' && part !== 'window')
    throw new Error(`--part: unknown part "${part}". Use service or window.`);
  await withWorkspace(async (folder) => {
    if (part !== 'window') await benchService(folder, rounds ?? defaultRounds);
    if (part !== 'service') await benchWindow(folder, { rounds: rounds ?? windowRounds, json, computer });
  });
}

async function benchService(folder: string, rounds: number): Promise<void> {
  const entries = (['built', 'source'] as const).filter((entry) => existsSync(serverEntries[entry]));
  const candidates = [anchor(folder), ...entries.map((entry) => server(folder, entry))];
  const results = new Map(candidates.map(({ name }) => [name, { readyMs: [] as number[], memory: [] as number[] }]));
  for (const { start } of candidates) await start();
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, start } of candidates) {
      const { readyMs, memoryBytes } = await start();
      results.get(name)?.readyMs.push(readyMs);
      if (memoryBytes !== null) results.get(name)?.memory.push(memoryBytes);
    }
  }
  const bare = median(results.get(candidates[0]?.name ?? '')?.readyMs ?? []);
  printTable(
    'Start-up: process to ready server',
    ['', 'median', 'best', 'ratio', 'peak memory'],
    [...results].map(([name, { readyMs, memory }]) => [
      name,
      inMilliseconds(median(readyMs)),
      inMilliseconds(Math.min(...readyMs)),
      asRatio(median(readyMs), bare),
      memory.length > 0 ? inMegabytes(median(memory)) : '–',
    ]),
  );
  if (entries.length < 2) printNote('Not built: run `npm run build` to see the start of the installed program.');
}

async function benchWindow(
  folder: string,
  { rounds, json, computer }: Pick<BenchOptions, 'json' | 'computer'> & { readonly rounds: number },
): Promise<void> {
  endWithThisProcess();
  const screen = await openScreen();
  try {
    const used = join(folder, 'used');
    await mkdir(used);
    await startWindow({ screen, folder: used, password: ownerPassword });
    const starts: WindowStarts = { browser: [], again: [], first: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of ['browser', 'again', 'first'] as const) {
        const place = join(folder, `${kind}-${round}`);
        if (kind !== 'first') await copyOfUsed(used, place);
        else await mkdir(place);
        if (kind === 'browser') starts.browser.push(await startBrowserAlone(screen, place));
        else starts[kind].push(await startWindow({ screen, folder: place, password: null }));
        await rm(place, { recursive: true, force: true, maxRetries: 5 });
      }
    }
    printStarts(starts);
    if (json !== null) writeStartReport(json, { computer, date: new Date().toISOString().slice(0, 10), starts });
  } finally {
    await screen.close();
  }
}

function anchor(folder: string): Candidate {
  return {
    name: 'anchor: Node, better-sqlite3, http',
    async start() {
      const started = await startAnchor('bare-start.ts', [join(folder, 'anchor.sqlite')]);
      await started.stop();
      return { readyMs: started.readyMs, memoryBytes: null };
    },
  };
}

function server(folder: string, entry: keyof typeof serverEntries): Candidate {
  return {
    name: `limner serve, ${entry}`,
    async start() {
      const dataDir = join(folder, entry);
      await mkdir(dataDir, { recursive: true });
      // Like `npm start`: the first start, which is not counted, fills the compile cache.
      const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
      const started = await startServer({ dataDir, entry, password: null, env });
      const memoryBytes = await started.peakMemoryBytes();
      await started.stop();
      return { readyMs: started.readyMs, memoryBytes };
    },
  };
}
