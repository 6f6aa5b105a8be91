import { describe, expect, test } from 'vitest';
import { expiryDate } from '../../../../../renderer/features/settings/token-expiry.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

describe('the expiry of an access token', () => {
  test('is a number of days from now, or never', () => {
    expect(expiryDate('30', '', now)).toBe('2026-12-20T12:00:00.000Z');
    expect(expiryDate('never', '', now)).toBeNull();
  });

  test('is the end of a selected day of this computer, so that the last day counts', () => {
    const today = new Date(now);
    const day = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, '0')}-${String(today.getDate()).padStart(2, '0')}`;
    expect(Date.parse(expiryDate('date', day, now) ?? '')).toBeGreaterThan(now);
  });

  test('is missing while no day is selected, or the day is over', () => {
    expect(expiryDate('date', '', now)).toBeUndefined();
    expect(expiryDate('date', '2026-11-18', now)).toBeUndefined();
  });
});
