import type { Lane } from '../store/outbox-repository.ts';

/** Upper bound of timers, because they stop while the computer sleeps and the clock may be changed. */
const maxSleepMs = 60_000;

/** Map key of a delivery queue. */
export const laneKey = ({ webhookId, redelivery }: Lane): string => `${webhookId}/${redelivery}`;

interface Sleeping {
  readonly lane: Lane;
  /** Wall clock, which continues while the computer sleeps. */
  readonly untilMs: number;
  /** The same time on the monotonic clock, which cannot be set. */
  readonly elapsedUntilMs: number;
}

/** Wakes delivery queues when their time has come by either clock, so that a clock set back delays none. */
export function createLaneAlarm(nowMs: () => number, onDue: (lane: Lane) => void) {
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
      sleeping.delete(laneKey(lane));
      onDue(lane);
    }
    setTimer();
  }

  return {
    set(lane: Lane, untilMs: number): void {
      const elapsedUntilMs = performance.now() + untilMs - nowMs();
      sleeping.set(laneKey(lane), { lane, untilMs, elapsedUntilMs });
      setTimer();
    },
    /** Forgets a queue that is awake; a remaining timer finds nothing. */
    forget: (lane: Lane) => void sleeping.delete(laneKey(lane)),
    clear(): void {
      sleeping.clear();
      setTimer();
    },
  };
}
