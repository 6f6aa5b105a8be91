import { setInterval as ticks } from 'node:timers/promises';
import { createHttpProbe } from './http-probe.ts';

const connections = 8;

export interface Question {
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly body?: string;
  readonly everyMs: number;
}

export interface Latencies {
  readonly milliseconds: readonly number[];
  readonly failed: number;
}

/**
 * Sends the same request at regular intervals, without waiting for the previous answer. A server that blocks for 100 ms
 * delays ten requests at 10 ms, not one. `stop` waits for the answers and returns their times.
 */
export function startSteadyProbe(baseUrl: string, headers: Readonly<Record<string, string>>, question: Question) {
  const { method, path, body, everyMs } = question;
  const probe = createHttpProbe(baseUrl, headers, connections);
  const controller = new AbortController();
  const milliseconds: number[] = [];
  const waiting = new Set<Promise<void>>();
  let failed = 0;

  async function ask(): Promise<void> {
    try {
      const answer = await probe.send(method, path, body);
      if (answer.status === 200) milliseconds.push(answer.milliseconds);
      else failed += 1;
    } catch {
      failed += 1;
    }
  }

  async function run(): Promise<void> {
    try {
      for await (const _ of ticks(everyMs, undefined, { signal: controller.signal })) {
        const requested = ask().finally(() => waiting.delete(requested));
        waiting.add(requested);
      }
    } catch {
      // The timer rejects when it is stopped.
    }
  }
  const running = run();

  return {
    async stop(): Promise<Latencies> {
      controller.abort();
      await running;
      await Promise.all(waiting);
      probe.close();
      return { milliseconds, failed };
    },
  };
}
