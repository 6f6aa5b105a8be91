import { describe, expect, test } from 'vitest';
import { formatDuration, formatSoon, isPast } from '../../../../renderer/shared/format-text.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

describe('relative times', () => {
  test('are exact to the second when near, and never in the past', () => {
    expect(formatSoon('2026-11-20T12:00:04Z', now)).toBe('in 4 seconds');
    expect(formatSoon('2026-11-20T12:05:00Z', now)).toBe('in 5 minutes');
    expect(formatSoon('2026-11-20T11:59:58Z', now)).toBe('now');
  });

  test('have durations in the fitting unit', () => {
    expect([0.4, 12, 999, 1_000, 12_345].map(formatDuration)).toEqual(['0 ms', '12 ms', '999 ms', '1.0 s', '12.3 s']);
  });

  test('count a moment as past when it is reached', () => {
    expect(isPast('2026-11-20T12:00:00Z', now)).toBe(true);
    expect(isPast('2026-11-20T12:00:01Z', now)).toBe(false);
  });
});
