import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { serverEntries, startServer } from '../support/server.ts';
import { startAnchor } from './support/anchor-process.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inMegabytes, inMilliseconds, median } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 9;

interface Candidate {
  readonly name: string;
  readonly start: () => Promise<{ readyMs: number; memoryBytes: number | null }>;
}

/** Measures from the start of the process to its ready line, with an existing store. */
export async function bench({ rounds }: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    const entries = (['built', 'source'] as const).filter((entry) => existsSync(serverEntries[entry]));
    const candidates = [anchor(folder), ...entries.map((entry) => server(folder, entry))];
    const results = new Map(candidates.map(({ name }) => [name, { readyMs: [] as number[], memory: [] as number[] }]));
    for (const { start } of candidates) await start();
    for (let round = 0; round < (rounds ?? defaultRounds); round += 1) {
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
  });
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
