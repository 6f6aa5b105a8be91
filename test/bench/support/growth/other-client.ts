import { readFileSync } from 'node:fs';
import { setInterval as ticks } from 'node:timers/promises';
import { createHttpProbe } from '../http-probe.ts';

/**
 * Another client of the service, in a separate process so that the bench does not delay it. It asks the same question
 * at regular intervals without waiting for the previous answer, and sends its parent the waits when it is stopped.
 */
export interface OtherClientOrder {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Process of the service. */
  readonly pid: number;
}

export interface Wait {
  readonly ms: number;
  /** CPU time of the answering thread during the wait. Unlike the wait, it does not depend on the load of the computer. */
  readonly threadMs: number;
}

const askEveryMs = 20;
const connections = 8;

/** CPU time of the main thread, which answers. Linux counts it in nanoseconds. */
const threadMsOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

function startAsking({ url, path, headers, pid }: OtherClientOrder) {
  const probe = createHttpProbe(url, headers, connections);
  const controller = new AbortController();
  const waits: Wait[] = [];
  const waiting = new Set<Promise<void>>();
  const ask = async (): Promise<void> => {
    const before = threadMsOf(pid);
    const { milliseconds, status } = await probe.send('GET', path);
    if (status === 200) waits.push({ ms: milliseconds, threadMs: threadMsOf(pid) - before });
  };
  const run = async (): Promise<void> => {
    for await (const _ of ticks(askEveryMs, undefined, { signal: controller.signal })) {
      // A question fails only if the service ends, and then the bench ends the measurement.
      const asked: Promise<void> = ask()
        .catch(() => undefined)
        .finally(() => waiting.delete(asked));
      waiting.add(asked);
    }
  };
  // The timer rejects when it is stopped.
  const running = run().catch(() => undefined);
  return async (): Promise<readonly Wait[]> => {
    controller.abort();
    await running;
    await Promise.all(waiting);
    probe.close();
    return waits;
  };
}

let stop: ReturnType<typeof startAsking> | null = null;
process.on('message', (order: OtherClientOrder | 'stop') => {
  if (order !== 'stop') {
    stop = startAsking(order);
    process.send?.('started');
  } else void stop?.().then((waits) => process.send?.(waits));
});
process.on('disconnect', () => process.exit());
