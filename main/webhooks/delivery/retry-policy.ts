const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Delays between the end of a failed attempt and the next one. */
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

/** Maximum delay that a receiver can request. */
const longestRetryAfterMs = dayMs;

/**
 * Timeouts (408), rate limits (429) and server errors are retried; 502 and 504 also stand for no connection and a
 * timeout. Redirects are retried too, as in Standard Webhooks: they are never followed, are often temporary (a
 * network's sign-in page, maintenance), and retries leave days to change the target.
 */
export function isRetryable(status: number): boolean {
  return status >= 500 || status === 408 || status === 429 || isRedirect(status);
}

export const isRedirect = (status: number): boolean => status >= 300 && status < 400;
export const isDelivered = (status: number): boolean => status < 300;

/**
 * Delay before the next attempt; null if there is none.
 * @param attempt the ended attempt, from 1
 * @param retryAfterMs minimum delay that the receiver requested
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

/**
 * Time that a receiver may fail until failing deliveries no longer block others: the sum of all delays shorter than a
 * day, plus a minute.
 */
export function holdMs(delaysMs: readonly number[] = retryDelaysMs): number {
  const short = delaysMs.filter((delay) => delay < dayMs);
  return short.reduce((sum, delay) => sum + delay, 0) + minuteMs;
}

/** Parses seconds or an HTTP date into a delay from now; null if absent or invalid. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * secondMs;
  const dateMs = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

/**
 * Parses `LIMNER_WEBHOOK_RETRIES`: a JSON array of seconds.
 * @throws Error for other values
 */
export function parseRetryDelays(text: string): number[] {
  const seconds: unknown = JSON.parse(text);
  if (Array.isArray(seconds) && seconds.every((one) => typeof one === 'number' && one >= 0)) {
    return seconds.map((one: number) => one * secondMs);
  }
  throw new Error(`The delays of webhook retries must be a JSON array of seconds, not ${text}.`);
}
