import { expect, it } from 'vitest';
import { createThrottle } from '../../../main/users/auth/throttle.ts';

it('refuses an attempt over the limit until the oldest leaves the window', () => {
  let now = 0;
  const throttle = createThrottle(2, 10_000, () => now);
  throttle.attempt();
  now = 4000;
  throttle.attempt();
  expect(() => throttle.attempt()).toThrow('Expected available in 6 seconds');
  now = 10_001;
  expect(() => throttle.attempt()).not.toThrow();
});

it('ignores attempts of the future after the clock was set back', () => {
  let now = 1_000_000;
  const throttle = createThrottle(1, 10_000, () => now);
  throttle.attempt();
  now = 0;
  expect(() => throttle.attempt()).not.toThrow();
  expect(() => throttle.attempt()).toThrow('throttled');
});
