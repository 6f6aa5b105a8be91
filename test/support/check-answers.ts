import { afterAll, expect } from 'vitest';
import { watchAnswers } from './openapi-check.ts';

/** Runs before each test file: checks all answers against the service's OpenAPI document. */
const watch = watchAnswers();
afterAll(() => {
  watch.restore();
  expect(watch.breaches).toEqual([]);
});
