import { describe, expect, test } from 'vitest';
import {
  holdMs,
  isDelivered,
  isRetryable,
  nextDelayMs,
  parseRetryAfter,
  parseRetryDelays,
  retryDelaysMs,
} from '../../../main/webhooks/delivery/retry-policy.ts';

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
const now = Date.parse('2026-11-20T09:30:00Z');

describe('retries', () => {
  test('are eight: after 5 s, 5 min, 30 min, 3 h, and four times a day', () => {
    const delays = Array.from({ length: 9 }, (_, index) => seconds(nextDelayMs(500, index + 1, null)));
    expect(delays).toEqual([5, 300, 1800, 10_800, 86_400, 86_400, 86_400, 86_400, null]);
  });

  test.each([500, 502, 503, 504, 599, 408, 429, 300, 301, 302, 304, 307, 308])('follow %i', (status) => {
    expect(isRetryable(status)).toBe(true);
    expect(nextDelayMs(status, 1, null)).toBe(5000);
  });

  test.each([200, 204, 400, 401, 404, 410, 422])('do not follow %i', (status) => {
    expect(isRetryable(status)).toBe(false);
    expect(nextDelayMs(status, 1, null)).toBeNull();
  });

  test('wait as long as the receiver requests, at most a day and at least the schedule', () => {
    expect(nextDelayMs(429, 1, 60_000)).toBe(60_000);
    expect(nextDelayMs(503, 2, 60_000)).toBe(300_000);
    expect(nextDelayMs(503, 1, 365 * 86_400_000)).toBe(86_400_000);
    expect(nextDelayMs(503, 9, 60_000)).toBeNull();
  });

  test('succeed only with an accepted delivery: a redirect is a failure', () => {
    expect([200, 204, 299].filter(isDelivered)).toEqual([200, 204, 299]);
    expect([300, 302, 304, 308, 400, 410, 500].filter(isDelivered)).toEqual([]);
  });

  test('a failing delivery blocks the others over the short delays, not over the days', () => {
    const short = retryDelaysMs.slice(0, 4).reduce((sum, delay) => sum + delay, 0);
    expect(holdMs()).toBeGreaterThan(short);
    expect(holdMs()).toBeLessThan(short + retryDelaysMs[4]!);
  });
});

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Fri, 20 Nov 2026 09:31:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ])('%s', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });

  test.each(['', 'soon', '-5', '1.5', '99999999999999999999'])('ignores "%s"', (header) => {
    expect(parseRetryAfter(header, now)).toBeNull();
  });

  test('may be absent', () => {
    expect(parseRetryAfter(undefined, now)).toBeNull();
  });
});

test('other delays are a JSON array of seconds', () => {
  expect(parseRetryDelays('[1, 0.5]')).toEqual([1000, 500]);
  expect(() => parseRetryDelays('[-1]')).toThrow(/array of seconds/);
  expect(() => parseRetryDelays('{"a": 1}')).toThrow(/array of seconds/);
});
