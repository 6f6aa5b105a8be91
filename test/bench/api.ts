import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { benchFlatness } from './api-flatness.ts';
import { tokenHeader } from './edit.ts';
import { startAnchor, type StartedAnchor } from './support/anchor-process.ts';
import { createHttpProbe, requireGood, type HttpProbe } from './support/http-probe.ts';
import type { BenchOptions } from './support/options.ts';
import { makeShapes } from './support/shapes.ts';
import { asRatio, figure, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 5;
const counts = [10, 1000, 10_000] as const;
const requestsPerRound = {
  GET: { 10: 200, 1000: 60, 10_000: 12 },
  PATCH: { 10: 60, 1000: 20, 10_000: 4 },
} as const;
/** Used to measure the rate. Latencies are measured with one request at a time. */
const connections = 4;

interface Side {
  readonly alone: HttpProbe;
  readonly together: HttpProbe;
  readonly path: string;
  readonly milliseconds: number[];
  readonly rates: number[];
}

interface Case {
  readonly method: 'GET' | 'PATCH';
  readonly count: (typeof counts)[number];
  readonly bytes: number;
  readonly body: string | undefined;
  readonly own: Side;
  readonly bare: Side;
}

/**
 * Reads and writes the annotations of one frame. Compares with a bare route of the same framework that answers the same
 * bytes and, for writing, reads the same body. Repeats the requests in a project of one task and of 5,000.
 */
export async function bench(options: BenchOptions): Promise<void> {
  await withWorkspace(async (folder) => {
    const server = await startServer({ entry: options.entry });
    const anchors: StartedAnchor<{ url: string }>[] = [];
    try {
      const cases = await prepare(server, folder, anchors);
      for (let round = -1; round < (options.rounds ?? defaultRounds); round += 1) {
        for (const one of cases) {
          for (const side of [one.own, one.bare]) await measure(one, side, round >= 0);
        }
      }
      for (const { own, bare } of cases) {
        for (const side of [own, bare]) {
          side.alone.close();
          side.together.close();
        }
      }
      print(cases);
    } finally {
      for (const anchor of anchors) await anchor.stop();
      await server.stop();
    }
  });
  await benchFlatness(options);
}

async function measure({ method, count, body }: Case, side: Side, isKept: boolean): Promise<void> {
  const requests = requestsPerRound[method][count];
  for (let index = 0; index < requests; index += 1) {
    const { milliseconds } = requireGood(await side.alone.send(method, side.path, body));
    if (isKept) side.milliseconds.push(milliseconds);
  }
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let index = 0; index < requests / connections; index += 1) {
        requireGood(await side.together.send(method, side.path, body));
      }
    }),
  );
  const made = Math.ceil(requests / connections) * connections;
  if (isKept) side.rates.push((1000 * made) / (performance.now() - started));
}

async function prepare(
  server: RunningServer,
  folder: string,
  anchors: StartedAnchor<{ url: string }>[],
): Promise<Case[]> {
  const client = await signIn(server);
  const headers = await tokenHeader(server);
  const task = await client.taskWithImages({ labels: [{ name: 'thing' }] }, await makeImages(counts.length));
  const [label] = await client.labels(task.id);
  const [job] = await client.jobs(task.id);
  const side = (url: string, path: string): Side => ({
    alone: createHttpProbe(url, headers),
    together: createHttpProbe(url, headers, connections),
    path,
    milliseconds: [],
    rates: [],
  });
  const cases: Case[] = [];
  for (const [frame, count] of counts.entries()) {
    const shapes = makeShapes(count, label?.id ?? 0).map((shape) => ({ ...shape, frame }));
    await client.changeAnnotations('tasks', task.id, 'create', { shapes });
    const annotations = `/api/jobs/${job?.id}/annotations/`;
    const content = await client.bytes(`${annotations}?frame=${frame}`);
    const file = join(folder, `answer-${count}.json`);
    await writeFile(file, content);
    const anchor = await startAnchor<{ url: string }>('bare-answer.ts', [file]);
    anchors.push(anchor);
    const { url } = anchor.line;
    const common = { count, bytes: content.length };
    const reading = { own: side(server.url, `${annotations}?frame=${frame}`), bare: side(url, '/') };
    const writing = { own: side(server.url, `${annotations}?action=update`), bare: side(url, '/') };
    cases.push({ ...common, ...reading, method: 'GET', body: undefined });
    cases.push({ ...common, ...writing, method: 'PATCH', body: content.toString() });
  }
  return cases.toSorted((a, b) => a.method.localeCompare(b.method));
}

function print(cases: readonly Case[]): void {
  printTable(
    'Annotations of one frame: all of it is read, or all of it is updated',
    ['', 'shapes', 'body', 'each s', 'bare', 'p50', 'bare', 'ratio', 'p99', 'bare'],
    cases.map(({ method, count, bytes, own, bare }) => [
      method === 'GET' ? 'reading' : 'writing',
      count.toLocaleString('en-US'),
      `${figure(bytes / 1000)} kB`,
      figure(median(own.rates)),
      figure(median(bare.rates)),
      inMilliseconds(median(own.milliseconds)),
      inMilliseconds(median(bare.milliseconds)),
      asRatio(median(own.milliseconds), median(bare.milliseconds)),
      inMilliseconds(percentile(own.milliseconds, 0.99)),
      inMilliseconds(percentile(bare.milliseconds, 0.99)),
    ]),
  );
  printNote(`Latencies: one request at a time. Requests each second: ${connections} connections, closed loop.`);
}
