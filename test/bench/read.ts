import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { tokenHeader } from './edit.ts';
import { startAnchor, type StartedAnchor } from './support/anchor-process.ts';
import { createHttpProbe, requireGood, type HttpProbe } from './support/http-probe.ts';
import type { BenchOptions } from './support/options.ts';
import { makeShapes } from './support/shapes.ts';
import { asRatio, figure, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 7;
const counts = [10, 1000, 10_000] as const;
const requestsPerRound = { 10: 200, 1000: 60, 10_000: 12 } as const;

interface Case {
  readonly count: (typeof counts)[number];
  readonly path: string;
  readonly bytes: number;
  readonly anchor: StartedAnchor<{ url: string }>;
  readonly ownMs: number[];
  readonly bareMs: number[];
  processorMs: number;
}

/**
 * Reads the annotations of one frame, one request at a time. Compares with a bare route that answers the same bytes.
 */
export async function bench({ rounds, entry }: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    const server = await startServer({ entry });
    const cases: Case[] = [];
    try {
      const own = createHttpProbe(server.url, await tokenHeader(server));
      cases.push(...(await prepare(server, own, folder)));
      for (let round = -1; round < (rounds ?? defaultRounds); round += 1) {
        for (const one of cases) {
          const bare = createHttpProbe(one.anchor.line.url);
          const before = (await server.processorMs()) ?? Number.NaN;
          await measure(own, one.path, requestsPerRound[one.count], round < 0 ? [] : one.ownMs);
          if (round >= 0) one.processorMs += ((await server.processorMs()) ?? Number.NaN) - before;
          await measure(bare, '/', requestsPerRound[one.count], round < 0 ? [] : one.bareMs);
          bare.close();
        }
      }
      own.close();
      print(cases);
    } finally {
      for (const { anchor } of cases) await anchor.stop();
      await server.stop();
    }
  });
}

async function measure(probe: HttpProbe, path: string, requests: number, into: number[]): Promise<void> {
  for (let index = 0; index < requests; index += 1) {
    into.push(requireGood(await probe.send('GET', path)).milliseconds);
  }
}

async function prepare(server: RunningServer, probe: HttpProbe, folder: string): Promise<Case[]> {
  const client = await signIn(server);
  const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, await makeImages(counts.length));
  const [label] = await client.labels(task.id);
  const cases: Case[] = [];
  for (const [frame, count] of counts.entries()) {
    const shapes = makeShapes(count, label?.id ?? 0).map((shape) => ({ ...shape, frame }));
    await client.changeAnnotations('tasks', task.id, 'create', { shapes });
    const path = `/api/tasks/${task.id}/annotations/?frame=${frame}`;
    const file = join(folder, `answer-${count}.json`);
    await writeFile(file, await client.bytes(path));
    const { bytes } = requireGood(await probe.send('GET', path));
    const anchor = await startAnchor<{ url: string }>('bare-answer.ts', [file]);
    cases.push({ count, path, bytes, anchor, ownMs: [], bareMs: [], processorMs: 0 });
  }
  return cases;
}

function print(cases: readonly Case[]): void {
  printTable(
    'Reading: annotations of one frame, one request at a time',
    ['shapes on the frame', 'answer', 'p50', 'p99', 'bare p50', 'bare p99', 'p50 ratio', 'processor'],
    cases.map(({ count, bytes, ownMs, bareMs, processorMs }) => [
      count.toLocaleString('en-US'),
      `${figure(bytes / 1000)} kB`,
      inMilliseconds(median(ownMs)),
      inMilliseconds(percentile(ownMs, 0.99)),
      inMilliseconds(median(bareMs)),
      inMilliseconds(percentile(bareMs, 0.99)),
      asRatio(median(ownMs), median(bareMs)),
      inMilliseconds(processorMs / ownMs.length),
    ]),
  );
}
