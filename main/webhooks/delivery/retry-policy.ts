const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Time between the end of a failed attempt and the next one. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  3 * hourMs,
  dayMs,
  dayMs,
  dayMs,
  dayMs,
];

/** A receiver may ask for more patience than this, and does not get it. */
const longestRetryAfterMs = dayMs;

/**
 * Too late, too many, broken; 502 and 504 also stand for no connection and no answer in time. A redirect too, as Standard
 * Webhooks has it: it is never followed, it is often for a while only (a sign-in page of a network, maintenance), and
 * the retries leave a person days to set another target.
 */
export function isRetryable(status: number): boolean {
  return status >= 500 || status === 408 || status === 429 || isRedirect(status);
}

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;
export const isDelivered = (status: number): boolean => status < 300;

/**
 * What follows an attempt: the time until the next one, or null where there is none.
 * @param attempt the one that ended, from 1
 * @param retryAfterMs the least time that the receiver asked for
 */
export function nextDelayMs(
  status: number,
  attempt: number,
  retryAfterMs: number | null,
  delaysMs: readonly number[] = retryDelaysMs,
): number | null {
  const delay = delaysMs[attempt - 1];
  if (!isRetryable(status) || delay === undefined) return null;
  return Math.max(delay, Math.min(retryAfterMs ?? 0, longestRetryAfterMs));
}

/** How long a receiver may fail until failing deliveries hold back nothing any more: over all but the day-long delays. */
export function holdMs(delaysMs: readonly number[] = retryDelaysMs): number {
  const short = delaysMs.filter((delay) => delay < dayMs);
  return short.reduce((sum, delay) => sum + delay, 0) + minuteMs;
}

/** The header's seconds or HTTP date as a time from now; null where it is absent or neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * secondMs;
  const dateMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

/**
 * Other delays, as CVAT's `CVAT_SEND_WEBHOOK_TASK_RETRIES` gives them: a JSON array of seconds.
 * @throws Error for anything else
 */
export function parseRetryDelays(text: string): number[] {
  const seconds: unknown = JSON.parse(text);
  if (Array.isArray(seconds) && seconds.every((one) => typeof one === 'number' && one >= 0)) {
    return seconds.map((one: number) => one * secondMs);
  }
  throw new Error(`The delays of webhook retries must be a JSON array of seconds, not ${text}.`);
}
