import { expect, test } from 'vitest';
import { isDue } from '../../../../main/backup/backup-schedule.ts';

const at = (day: number, hour: number, minute = 0): Date => new Date(2026, 2, day, hour, minute);

test('without an hour a backup is due a day, or a week, after the last one', () => {
  const daily = { every: 'day', hour: null } as const;
  expect(isDue(at(10, 12), null, daily)).toBe(true);
  expect(isDue(at(10, 12), at(9, 12, 1), daily)).toBe(false);
  expect(isDue(at(10, 12), at(9, 12), daily)).toBe(true);
  expect(isDue(at(10, 12), at(4, 12), { every: 'week', hour: null })).toBe(false);
  expect(isDue(at(10, 12), at(3, 12), { every: 'week', hour: null })).toBe(true);
});

test('with an hour it is due from that hour on, once a day', () => {
  const atThree = { every: 'day', hour: 3 } as const;
  expect(isDue(at(10, 2, 59), at(9, 3, 40), atThree)).toBe(false);
  expect(isDue(at(10, 3), at(9, 3, 40), atThree)).toBe(true);
  expect(isDue(at(10, 4), at(10, 3, 10), atThree)).toBe(false);
  // The computer was off at three: the backup runs at the next start, and at three again the next night.
  expect(isDue(at(10, 9), at(9, 3, 10), atThree)).toBe(true);
  expect(isDue(at(11, 3), at(10, 9), atThree)).toBe(true);
});

test('with an hour it is due once a week, at that hour of the seventh day', () => {
  const weekly = { every: 'week', hour: 22 } as const;
  expect(isDue(at(16, 23), at(10, 22, 30), weekly)).toBe(false);
  expect(isDue(at(17, 21, 59), at(10, 22, 30), weekly)).toBe(false);
  expect(isDue(at(17, 22), at(10, 22, 30), weekly)).toBe(true);
});

test('a schedule that is switched off is never due', () => {
  expect(isDue(at(10, 3), null, { every: 'never', hour: 3 })).toBe(false);
});
