import type { Lane } from '../store/outbox-repository.ts';

/** The longest sleep: timers stand still while the computer does, and the clock may be set. */
const maxSleepMs = 60_000;

/** Names each lane for maps. */
export const laneKey = ({ webhookId, redelivery }: Lane): string => `${webhookId}/${redelivery}`;

interface Sleeping {
  readonly lane: Lane;
  /** By the wall clock, which goes on while the computer sleeps. */
  readonly untilMs: number;
  /** The same by the clock of this process, which nobody sets. */
  readonly elapsedUntilMs: number;
}

/** Wakes lanes when their time has come by either clock: a wall clock that is set back keeps nobody asleep. */
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
    /** The lane is awake; a timer that is left over finds nothing. */
    forget: (lane: Lane) => void sleeping.delete(laneKey(lane)),
    clear(): void {
      sleeping.clear();
      setTimer();
    },
  };
}
