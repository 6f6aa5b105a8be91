import { expect, test } from 'vitest';
import { createAnswerCheck } from '../../support/openapi-check.ts';
import { usePeopleHarness } from '../people/people-harness.ts';

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const harness = await usePeopleHarness();
const document = await harness.admin.rest.good<Document>('GET', '/api/schema/');
const check = createAnswerCheck({ ...document });
const project = { ...(await harness.admin.good('createProject', { body: { name: 'p' } })) };

const problem = (status: number, body: unknown) => check.problem('GET', '/api/projects/1', status, body);

test('accepts an answer that the document describes', () => {
  expect(problem(200, project)).toBeNull();
  expect(problem(404, { detail: 'Not found.' })).toBeNull();
});

test('reports missing, additional and mistyped keys', () => {
  const { name: _name, ...rest } = project;
  expect(problem(200, rest)).toMatch(/name/);
  expect(problem(200, { ...project, secret: 1 })).toMatch(/secret/);
  expect(problem(200, { ...project, id: '1' })).toMatch(/id/);
});

test('reports statuses and operations that are not in the document', () => {
  for (const status of [201, 302, 418, 500]) expect(problem(status, {}), String(status)).toMatch(/status/);
  expect(check.problem('GET', '/api/nowhere', 200, {})).toMatch(/operation/);
});

test('names bodies and answers of operations for generated clients', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['TaskRead', 'TaskWriteRequest', 'PatchedTaskWriteRequest', 'PaginatedTaskReadList']),
  );
  const unnamed = Object.entries(document.paths).filter(([, methods]) =>
    /"application\/(vnd\.cvat\+)?json":\{"schema":\{"type":"object","properties":\{"/.test(JSON.stringify(methods)),
  );
  expect(unnamed.map(([path]) => path)).toEqual([]);
});

test('resolves all references, and makes fields with defaults optional in requests', () => {
  const { schemas } = document.components;
  const named = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  expect([...named].map(([, name]) => name ?? '').filter((name) => !(name in schemas))).toEqual([]);
  const shapes = schemas as Readonly<Record<string, { readonly required?: readonly string[] }>>;
  expect(shapes['LabeledShape']?.required).toContain('rotation');
  expect(shapes['LabeledShapeRequest']?.required).not.toContain('rotation');
});
