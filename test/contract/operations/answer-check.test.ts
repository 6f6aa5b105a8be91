import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnswerCheck } from '../../support/openapi-check.ts';
import { startPeopleHarness, type PeopleHarness } from '../people/people-harness.ts';

/** That the check of every suite's answers sees what it is for. */
let harness: PeopleHarness;
let check: ReturnType<typeof createAnswerCheck>;
let project: Record<string, unknown>;
beforeAll(async () => {
  harness = await startPeopleHarness();
  check = createAnswerCheck(await harness.admin.rest.good('GET', '/api/schema/'));
  project = { ...(await harness.admin.good('createProject', { body: { name: 'p' } })) };
});
afterAll(() => harness.stop());

const problem = (status: number, body: unknown) => check.problem('GET', '/api/projects/1', status, body);

test('an answer of the document is none', () => {
  expect(problem(200, project)).toBeNull();
  expect(problem(404, { detail: 'Not found.' })).toBeNull();
});

test('keys that are missing, too many or of another type are', () => {
  const { name: _name, ...rest } = project;
  expect(problem(200, rest)).toMatch(/name/);
  expect(problem(200, { ...project, secret: 1 })).toMatch(/secret/);
  expect(problem(200, { ...project, id: '1' })).toMatch(/id/);
});

test('so are statuses and operations that the document does not have', () => {
  for (const status of [201, 302, 418, 500]) expect(problem(status, {}), String(status)).toMatch(/status/);
  expect(check.problem('GET', '/api/nowhere', 200, {})).toMatch(/operation/);
});
