import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, signIn, type TestClient } from '../../../support/client.ts';
import { makeImages } from '../../../support/images.ts';
import { startServer, type RunningServer, type ServerOptions } from '../../../support/server.ts';
import { makeShapes } from '../shapes.ts';
import { median, percentile } from '../statistics.ts';
import type { OtherClientOrder, Wait } from './other-client.ts';
import { cpuMsOf, peakBytesOf, resetPeak, untilAtRest } from './service-process.ts';

const idleMs = 1500;
/** Long enough that ticks of 10 ms do not matter. */
const calibrationMs = 4000;
/** Short operations are repeated for at least this time, so that the other client asks during them. */
const leastMs = 400;
const mostRepeats = 20;
const checkEveryMs = 500;
/** The computer may be loaded, so an operation may last this many times longer than its CPU time. */
const wallLimits = 4;
const ignoreEnd = () => undefined;

/** Cost of one run of an operation. */
export interface Figures {
  /** CPU time of the service without that of the other client's requests. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Resident memory before, and the peak of all runs. */
  readonly restBytes: number;
  readonly peakBytes: number;
  readonly waits: Waits;
}

/** Waits of the other client. */
export interface Waits {
  readonly count: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** CPU time of the answering thread during the waits. */
  readonly threadP99Ms: number;
  readonly threadMaxMs: number;
}

/** Reason why an operation has no figures. */
export interface Refusal {
  readonly reason: string;
}

export interface ServiceUnderTest {
  readonly server: RunningServer;
  readonly client: TestClient;
  /** Headers of a signed-in client. */
  readonly headers: Readonly<Record<string, string>>;
  /** Waits of the other client while the service has nothing else to do. */
  readonly idle: Waits;
  readonly folder: string;
  measure(run: () => Promise<unknown>, options: MeasureOptions): Promise<Figures | Refusal>;
  stop(): Promise<void>;
}

interface MeasureOptions {
  /** Small operations run several times, because CPU time has a resolution of 10 ms. */
  readonly times: number;
  /** Limit of the CPU time of all runs. */
  readonly limitMs: number;
  /** Measures the cost of the other client's questions again, just before. It was higher right after the start. */
  readonly isMostlyWaiting: boolean;
}

export async function startServiceUnderTest(
  folder: string,
  options: Pick<ServerOptions, 'entry' | 'program'>,
): Promise<ServiceUnderTest> {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  // Failed deliveries are not retried during a measurement.
  const env = { LIMNER_WEBHOOK_RETRIES: '[86400, 86400]' };
  const server = await startServer({ ...options, dataDir, env });
  const client = await signIn(server);
  const headers = { Authorization: client.authorization ?? '' };
  const order: OtherClientOrder = { url: server.url, path: await questionOf(client), headers, pid: server.pid };
  const child = fork(new URL('./other-client.ts', import.meta.url), { execArgv: [] });
  const ask = async <Work>(work: () => Promise<Work>): Promise<{ done: Work; waits: readonly Wait[] }> => {
    child.send(order);
    await once(child, 'message');
    try {
      const done = await work();
      child.send('stop');
      const [waits] = (await once(child, 'message')) as [readonly Wait[]];
      return { done, waits };
    } catch (error) {
      child.send('stop');
      if (server.isRunning()) await once(child, 'message');
      throw error;
    }
  };
  await untilAtRest(server.pid);
  async function askOnly(ms: number): Promise<{ waits: readonly Wait[]; cpuOfQuestion: number }> {
    const before = await cpuMsOf(server.pid);
    const { waits } = await ask(() => sleep(ms));
    return { waits, cpuOfQuestion: ((await cpuMsOf(server.pid)) - before) / waits.length };
  }
  const idle = await askOnly(idleMs);

  async function figures(run: () => Promise<unknown>, { times, isMostlyWaiting }: MeasureOptions): Promise<Figures> {
    await untilAtRest(server.pid);
    const { cpuOfQuestion } = isMostlyWaiting ? await askOnly(calibrationMs) : idle;
    const restBytes = await resetPeak(server.pid);
    const cpuBefore = await cpuMsOf(server.pid);
    const { done: walls, waits } = await ask(() => repeat(run, times));
    const cpuMs = (await cpuMsOf(server.pid)) - cpuBefore - waits.length * cpuOfQuestion;
    return {
      cpuMs: Math.max(0, cpuMs / walls.length),
      wallMs: median(walls),
      restBytes,
      peakBytes: await peakBytesOf(server.pid),
      waits: summaryOf(waits),
    };
  }

  return {
    server,
    client,
    headers,
    folder,
    idle: summaryOf(idle.waits),
    async measure(run, options) {
      const { limitMs } = options;
      let killed: Promise<void> | null = null;
      // A killed service ends the operation, whatever it waits for.
      const began = performance.now();
      const cpuBefore = await cpuMsOf(server.pid);
      const timer = setInterval(() => {
        void cpuMsOf(server.pid).then((cpuMs) => {
          const isOver = cpuMs - cpuBefore > limitMs || performance.now() - began > wallLimits * limitMs;
          if (isOver) killed ??= server.kill9();
        }, ignoreEnd);
      }, checkEveryMs);
      try {
        return await figures(run, options);
      } catch (error) {
        await killed;
        if (!server.isRunning()) return { reason: `> ${limitMs / 1000} s` };
        if (error instanceof ApiError) return { reason: `refused: ${error.status}` };
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
    async stop() {
      child.kill();
      if (server.isRunning()) await server.stop();
    },
  };
}

/** Times of all runs. Runs a repeatable operation until the other client could ask several times. */
async function repeat(run: () => Promise<unknown>, times: number): Promise<number[]> {
  const walls: number[] = [];
  const began = performance.now();
  const isShort = () => times > 1 && performance.now() - began < leastMs && walls.length < times * mostRepeats;
  while (walls.length < times || isShort()) {
    const started = performance.now();
    await run();
    walls.push(performance.now() - started);
  }
  return walls;
}

/** Zero where the operation ended before the first question. */
function summaryOf(waits: readonly Wait[]): Waits {
  const [walls, threads] = [waits.map(({ ms }) => ms), waits.map(({ threadMs }) => threadMs)];
  const of = (values: readonly number[], share: number) => (values.length === 0 ? 0 : percentile(values, share));
  return {
    count: waits.length,
    p99Ms: of(walls, 0.99),
    maxMs: of(walls, 1),
    threadP99Ms: of(threads, 0.99),
    threadMaxMs: of(threads, 1),
  };
}

/** The other client reads a frame of a small task. Returns the path. */
async function questionOf(client: TestClient): Promise<string> {
  const task = await client.taskWithImages({ name: 'other', labels: [{ name: 'thing' }] }, await makeImages(1));
  const [label] = await client.labels(task.id);
  await client.changeAnnotations('tasks', task.id, 'create', { shapes: makeShapes(10, label?.id ?? 0) });
  return `/api/tasks/${task.id}/annotations/?frame=0`;
}
