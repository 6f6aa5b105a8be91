import type { Lane } from '../core/webhooks/outbox-repository.ts';

/** The longest sleep: timers stand still while the computer does, and the clock may be set. */
const maxSleepMs = 60_000;

/** Names each lane for maps. */
export const laneKey = ({ webhookId, redelivery }: Lane): string => `${webhookId}/${redelivery}`;

/** Wakes lanes when their time has come. */
export function createLaneAlarm(nowMs: () => number, onDue: (lane: Lane) => void) {
  const sleeping = new Map<string, { readonly lane: Lane; readonly untilMs: number }>();
  let timer: NodeJS.Timeout | null = null;

  function setTimer(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (sleeping.size === 0) return;
    const nextMs = Math.min(...[...sleeping.values()].map(({ untilMs }) => untilMs));
    timer = setTimeout(ring, Math.max(0, Math.min(maxSleepMs, nextMs - nowMs())));
    timer.unref();
  }

  function ring(): void {
    const now = nowMs();
    const due = [...sleeping.values()].filter(({ untilMs }) => untilMs <= now);
    for (const { lane } of due) {
      sleeping.delete(laneKey(lane));
      onDue(lane);
    }
    setTimer();
  }

  return {
    set(lane: Lane, untilMs: number): void {
      sleeping.set(laneKey(lane), { lane, untilMs });
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
