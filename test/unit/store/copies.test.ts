import { expect, test } from 'vitest';
import { outdated } from '../../../main/db/store/copies.ts';

const dayMs = 24 * 60 * 60 * 1000;
const today = new Date(2026, 10, 25, 12);
const copiesOf = (...daysAgo: number[]) =>
  daysAgo.map((days) => ({ takenAt: new Date(today.getTime() - days * dayMs) }));
const removed = (...daysAgo: number[]) =>
  outdated(copiesOf(...daysAgo)).map(({ takenAt }) => Math.round((today.getTime() - takenAt.getTime()) / dayMs));

test('keeps the last three daily copies, and the newest of each of the last four weeks', () => {
  const month = Array.from({ length: 40 }, (_, day) => day);
  const kept = month.filter((day) => !removed(...month).includes(day));
  // The Sundays before this week's Monday are 3, 10 and 17 days ago.
  expect(kept).toEqual([0, 1, 2, 3, 10, 17]);
});

test('days without Limner count neither as days nor as weeks', () => {
  expect(removed(100, 200, 300, 400, 500)).toEqual([500]);
});

test('keeps the newer of two copies of one day', () => {
  expect(removed(0, 0, 1)).toEqual([0]);
});
