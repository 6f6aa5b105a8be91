import { afterAll, expect } from 'vitest';
import { watchAnswers } from './openapi-check.ts';

/** Set up before each test file: whatever its tests ask a service, the answers are those of the service's document. */
const watch = watchAnswers();
afterAll(() => {
  watch.restore();
  expect(watch.breaches).toEqual([]);
});
