import { expect, test } from 'vitest';
import { usePeopleHarness } from '../people/people-harness.ts';

const harness = await usePeopleHarness();
const owner = harness.addUser('the-owner');
const other = harness.addUser('the-other');
const body = { type: 'skeleton' as const, sublabels: [{ name: 'head', type: 'points' as const }], svg: '<circle/>' };
const labels = [{ name: 'car', color: '#ff0000' }, { name: 'bus' }, { name: 'body', ...body }];
const projectId = (await owner.good('createProject', { body: { name: 'p', labels } })).id;
const taskId = (await owner.good('createTask', { body: { name: 't', labels: [{ name: 'tree', type: 'mask' }] } })).id;
await other.good('createProject', { body: { name: 'of another', labels: [{ name: 'secret' }] } });

const names = async (query: Record<string, string>, caller = owner) =>
  (await caller.good('listLabels', { query })).results.map(({ name }) => name);

test('lists the labels of all visible objects without an owner, with those of skeletons inside them', async () => {
  expect(await names({})).toEqual(['car', 'bus', 'body', 'tree']);
  expect(await names({}, other)).toEqual(['secret']);
  expect(await names({ org: '' }, harness.admin)).toEqual(['car', 'bus', 'body', 'tree', 'secret']);
  const [skeleton] = (await owner.good('listLabels', { query: { name: 'body' } })).results;
  expect(skeleton?.sublabels.map(({ name }) => name)).toEqual(['head']);
});

test('lists the labels of a project or task with filter, search, sort and pages', async () => {
  const project_id = String(projectId);
  expect(await names({ project_id })).toEqual(['car', 'bus', 'body']);
  expect(await names({ task_id: String(taskId) })).toEqual(['tree']);
  expect(await names({ project_id, color: '#FF0000' })).toEqual(['car']);
  expect(await names({ type: 'mask' })).toEqual(['tree']);
  expect(await names({ project_id, search: 'B' })).toEqual(['bus', 'body']);
  expect(await names({ project_id, sort: 'name' })).toEqual(['body', 'bus', 'car']);
  expect(await names({ project_id, sort: '-id', page_size: '2' })).toEqual(['body', 'bus']);
  expect(await names({ project_id, page: '2', page_size: '2' })).toEqual(['body']);
  expect(await names({ filter: '{"in": [{"var": "name"}, ["car", "tree", "secret"]]}' })).toEqual(['car', 'tree']);
  expect(await names({ parent: 'body' })).toEqual(['head']);
});

test('refuses invalid queries', async () => {
  await owner.refused(400, 'listLabels', { query: { sort: 'size' } });
  await owner.refused(400, 'listLabels', { query: { filter: '{' } });
  await owner.refused(400, 'listLabels', { query: { project_id: 'first' } });
  await owner.refused(400, 'listLabels', { query: { parent_id: 'first' } });
  await other.refused(403, 'listLabels', { query: { project_id: String(projectId) } });
  await other.refused(404, 'listLabels', { query: { task_id: '987654' } });
});
