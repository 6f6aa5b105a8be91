import type { DeliveryQueue } from '../store/outbox-repository.ts';

/** Upper bound of timers, because they stop while the computer sleeps and the clock may be changed. */
const maxSleepMs = 60_000;

/** Map key of a delivery queue. */
export const queueKey = ({ webhookId, redelivery }: DeliveryQueue): string => `${webhookId}/${redelivery}`;

interface Sleeping {
  readonly lane: DeliveryQueue;
  /** Wall clock, which continues while the computer sleeps. */
  readonly untilMs: number;
  /** The same time on the monotonic clock, which cannot be set. */
  readonly elapsedUntilMs: number;
}

/** Wakes delivery queues when their time has come by either clock, so that a clock set back delays none. */
export function createQueueTimer(nowMs: () => number, onDue: (lane: DeliveryQueue) => void) {
  const sleeping = new Map<string, Sleeping>();
  let timer: NodeJS.Timeout | null = null;

  const remainingMs = ({ untilMs, elapsedUntilMs }: Sleeping): number =>
    Math.min(untilMs - nowMs(), elapsedUntilMs - performance.now());

  function setTimer(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (sleeping.size === 0) return;
    const nextMs = Math.min(...[...sleeping.values()].map(remainingMs));
    timer = setTimeout(ring, Math.max(0, Math.min(maxSleepMs, nextMs)));
    timer.unref();
  }

  function ring(): void {
    const due = [...sleeping.values()].filter((one) => remainingMs(one) <= 0);
    for (const { lane } of due) {
      sleeping.delete(queueKey(lane));
      onDue(lane);
    }
    setTimer();
  }

  return {
    set(lane: DeliveryQueue, untilMs: number): void {
      const elapsedUntilMs = performance.now() + untilMs - nowMs();
      sleeping.set(queueKey(lane), { lane, untilMs, elapsedUntilMs });
      setTimer();
    },
    /** Forgets a queue that is awake; a remaining timer finds nothing. */
    forget: (lane: DeliveryQueue) => void sleeping.delete(queueKey(lane)),
    clear(): void {
      sleeping.clear();
      setTimer();
    },
  };
}
