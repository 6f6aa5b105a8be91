/** Current time in the API's format: ISO 8601 in UTC with microseconds and `Z`. */
export type Clock = () => string;

/** @param ms since 1970 */
export const isoFromMs = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`;

/**
 * The clock of one process. Within a millisecond it increments the microseconds. Otherwise a second change that affects
 * only a date (a save, a deleted frame) would not change the row, and webhooks would miss it.
 * @param nowMs milliseconds since 1970
 */
export function createClock(nowMs: () => number = Date.now): Clock {
  let lastMs = -1;
  let microseconds = 0;
  return () => {
    const ms = nowMs();
    microseconds = ms === lastMs ? Math.min(microseconds + 1, 999) : 0;
    lastMs = ms;
    return `${new Date(ms).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
  };
}

export function isoAfter(date: string, durationMs: number): string {
  return isoFromMs(Date.parse(date) + durationMs);
}
