import { expect, test } from 'vitest';
import { createClock, isoAfter } from '../../../main/platform/clock.ts';

test('two dates of one millisecond differ, and sort in the order of their creation', () => {
  const clock = createClock(() => Date.UTC(2024, 1, 29, 12, 30, 15, 7));
  const dates = Array.from({ length: 1000 }, () => clock());
  expect(dates[0]).toBe('2024-02-29T12:30:15.007000Z');
  expect(dates[999]).toBe('2024-02-29T12:30:15.007999Z');
  expect(new Set(dates).size).toBe(1000);
  expect(dates.toSorted()).toEqual(dates);
});

test('a new millisecond starts again, also when the clock of the machine is set back', () => {
  let nowMs = 5;
  const clock = createClock(() => nowMs);
  expect([clock(), clock()]).toEqual(['1970-01-01T00:00:00.005000Z', '1970-01-01T00:00:00.005001Z']);
  nowMs = 4;
  expect(clock()).toBe('1970-01-01T00:00:00.004000Z');
});

test('adds milliseconds to a date', () => {
  expect(isoAfter('2024-02-29T23:59:59.500000Z', 750)).toBe('2024-03-01T00:00:00.250000Z');
});
