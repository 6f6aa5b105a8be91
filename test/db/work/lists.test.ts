import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, ListRequest } from '../../../main/users/access/actor.ts';
import { organizationWriteSchema } from '../../../preload/contract/schema/people.ts';
import {
  dataRequestSchema,
  jobPatchSchema,
  projectPatchSchema,
  projectWriteSchema,
  taskPatchSchema,
  taskWriteSchema,
} from '../../../preload/contract/schema/resources.ts';
import { useCoreHarness } from './core-harness.ts';

const harness = useCoreHarness();
const images = join(harness.folder, 'own-images');
mkdirSync(images);
for (const name of ['a.png', 'b.png']) {
  const image = sharp({ create: { width: 16, height: 12, channels: 3, background: '#123456' } });
  await image.png().toFile(join(images, name));
}

const request = (equals: Record<string, string>, change: Partial<ListRequest> = {}): ListRequest => ({
  page: 1,
  pageSize: 'all',
  equals,
  ...change,
});

const newProject = (actor: Actor, name = 'p') =>
  harness.core.projects.create(actor, projectWriteSchema.parse({ name }));
const newTask = (actor: Actor, body: object) =>
  harness.core.tasks.create(actor, taskWriteSchema.parse({ name: 't', ...body }));

async function taskWithJobs(body: object): Promise<number> {
  const { core, admin, ended } = harness;
  const { id } = newTask(admin, { segment_size: 1, ...body });
  const data = dataRequestSchema.parse({ server_files: [images], copy_data: true });
  expect(await ended(core.taskData.start(admin, id, data, []).rq_id)).toMatchObject({ status: 'finished' });
  return id;
}

/** Numbers of a project, and the counts of its lists: from one page and from the count of any page. */
function totals(id: number) {
  const { core, admin } = harness;
  const { tasks, task_subsets: subsets, dimension } = core.projects.get(admin, id);
  const equals = { project_id: String(id) };
  const counts = [core.tasks, core.jobs].map((collection) => {
    const { count, results } = collection.list(admin, request(equals));
    expect(count).toBe(results.length);
    const first = collection.list(admin, request(equals, { pageSize: 1 }));
    expect(first.results).toEqual(results.slice(0, 1));
    expect(first.count).toBe(count);
    return count;
  });
  expect(tasks.count).toBe(counts[0]);
  return { tasks: counts[0], jobs: counts[1], subsets, dimension };
}

test('a project knows its tasks, jobs and subsets after any change', async () => {
  const { core, admin, database, ended } = harness;
  const project = newProject(admin);
  const other = newProject(admin);
  const none = { tasks: 0, jobs: 0, subsets: [], dimension: null };
  expect(totals(project.id)).toEqual(none);

  const first = await taskWithJobs({ project_id: project.id, subset: 'train' });
  newTask(admin, { project_id: project.id, subset: 'test' });
  expect(totals(project.id)).toEqual({ tasks: 2, jobs: 2, subsets: ['test', 'train'], dimension: '2d' });

  const alone = await taskWithJobs({});
  core.tasks.update(admin, alone, taskPatchSchema.parse({ project_id: project.id, subset: 'train' }));
  expect(totals(project.id)).toEqual({ tasks: 3, jobs: 4, subsets: ['test', 'train'], dimension: '2d' });
  core.tasks.update(admin, first, taskPatchSchema.parse({ project_id: other.id }));
  expect(totals(project.id)).toEqual({ tasks: 2, jobs: 2, subsets: ['test', 'train'], dimension: '2d' });
  expect(totals(other.id)).toEqual({ tasks: 1, jobs: 2, subsets: ['train'], dimension: '2d' });

  const organization = core.organizations.create(admin, organizationWriteSchema.parse({ slug: 'team' }));
  core.projects.update(admin, project.id, projectPatchSchema.parse({ organization_id: organization.id }));
  expect(totals(project.id)).toEqual({ tasks: 2, jobs: 2, subsets: ['test', 'train'], dimension: '2d' });

  await ended(
    core.backups.startExport(admin, { kind: 'project', id: project.id }, { lightweight: false, fileName: 'p.zip' })
      .rq_id,
  );
  core.tasks.remove(admin, alone);
  expect(totals(project.id)).toEqual({ tasks: 1, jobs: 0, subsets: ['test'], dimension: null });

  const row = database.query("SELECT result_file FROM request WHERE type = 'export:backup'").get();
  const { result_file: file } = row as { result_file: string };
  const restoring = core.backups.startImport(admin, 'project', { path: file, name: 'p.zip' });
  const { result_id: restored } = await ended(restoring.rq_id);
  expect(totals(Number(restored))).toEqual({ tasks: 2, jobs: 2, subsets: ['test', 'train'], dimension: '2d' });

  core.projects.remove(admin, other.id);
  core.organizations.remove(admin, organization.id);
  expect(database.query('SELECT project_id FROM project_total').all()).toEqual([{ project_id: restored }]);
  expect(database.query('SELECT DISTINCT project_id FROM project_subset').all()).toEqual([{ project_id: restored }]);
});

describe('a search', () => {
  let named: number;
  let plain: number;
  beforeAll(async () => {
    const { core, admin, annotator } = harness;
    const project = newProject(admin, 'Boulevard');
    plain = newTask(annotator, { name: 'something else' }).id;
    named = await taskWithJobs({
      name: 'Zebra crossing 100%',
      project_id: project.id,
      subset: 'Winter_1',
      bug_tracker: 'https://tracker.example.org/Größe',
      assignee_id: annotator.userId,
    });
    const [job] = core.jobs.list(admin, request({ task_id: String(named) }, { sort: 'id' })).results;
    core.jobs.update(admin, job?.id ?? 0, jobPatchSchema.parse({ assignee: annotator.userId, stage: 'validation' }));
  });

  /** The same results on one page, on pages of one, and as the count that comes with each page. */
  function found(kind: 'tasks' | 'jobs', search: string): number[] {
    const { core, admin } = harness;
    const { count, results } = core[kind].list(admin, request({}, { search }));
    expect(count).toBe(results.length);
    const pages = results.map((_, index) =>
      core[kind].list(admin, request({}, { search, page: index + 1, pageSize: 1 })),
    );
    expect(pages.map((page) => page.results)).toEqual(results.map((one) => [one]));
    for (const page of pages) expect(page.count).toBe(count);
    return results.map(({ id }) => id);
  }

  test.each(['ZEBRA', 'boule', 'zebra boule winter', '100%', 'winter_1', 'größe', 'GRÖßE', 'tracker', 'br'])(
    '"%s" finds a task by its name, its subset, its tracker or its project',
    (words) => {
      expect(found('tasks', words)).toEqual([named]);
    },
  );
  test('a word may be part of users, status, mode and dimension as shown', () => {
    expect(found('tasks', 'annotator zebra')).toEqual([named]);
    expect(found('tasks', 'annotator something')).toEqual([plain]);
    expect(found('tasks', 'ANNOT zebra')).toEqual([named]);
    expect(found('tasks', '2D zebra')).toEqual([named]);
    expect(found('tasks', '2d something')).toEqual([]);
  });
  test('no character is a pattern, and no word spans two texts', () => {
    for (const words of ['1_0%', 'winter-1', '%', 'crossing_100', '100%Winter', 'nothing-like-this']) {
      expect(found('tasks', words).filter((id) => words !== '%' || id !== named)).toEqual([]);
    }
  });
  test('finds jobs by the task, the project, the assignee, their state and stage', () => {
    const { core, admin } = harness;
    const jobs = core.jobs.list(admin, request({ task_id: String(named) }, { sort: 'id' })).results.map(({ id }) => id);
    const [first] = jobs;
    expect(found('jobs', 'zebra').toSorted()).toEqual(jobs);
    expect(found('jobs', 'boulevard new').toSorted()).toEqual(jobs);
    expect(found('jobs', 'zebra annotator')).toEqual([first]);
    expect(found('jobs', 'zebra validation')).toEqual([first]);
    expect(found('jobs', 'zebra progress')).toEqual([]);
    expect(found('jobs', 'elephant')).toEqual([]);
  });
});

test.each([3, 300])('an assignee of %d of many tasks sees those with their jobs, and no others', (own) => {
  const { core, annotator, database } = harness;
  const names = Array.from({ length: 310 }, (_, index) => `of ${own}: ${index}`);
  const owned = new Set(names.slice(0, own));
  const task = database.query(
    "INSERT INTO task (name, owner_id, segment_size, created_date, updated_date) VALUES (?, ?, 0, '', '')",
  );
  const segment = database.query('INSERT INTO segment (task_id, start_frame, stop_frame) VALUES (?, 0, 0)');
  const job = database.query("INSERT INTO job (task_id, segment_id, created_date, updated_date) VALUES (?, ?, '', '')");
  const ids = database.write(() =>
    names.map((name) => {
      const id = Number(task.run(name, owned.has(name) ? annotator.userId : null).lastInsertRowid);
      job.run(id, segment.run(id).lastInsertRowid);
      return id;
    }),
  );
  const inOrder = request({}, { sort: 'id' });
  const tasks = core.tasks.list(annotator, inOrder).results.filter(({ name }) => name.startsWith(`of ${own}:`));
  expect(tasks.map(({ name }) => name)).toEqual([...owned]);
  const jobs = core.jobs.list(annotator, inOrder).results.filter((one) => ids.includes(one.task_id));
  expect(jobs.map(({ task_name: name }) => name)).toEqual([...owned]);
  for (const collection of [core.tasks, core.jobs]) {
    const { count } = collection.list(annotator, request({}, { pageSize: 1 }));
    expect(count).toBe(collection.list(annotator, inOrder).results.length);
  }
});

test('lists are sorted as requested, with or without an index', () => {
  const { core, admin } = harness;
  const names = ['b', 'A', 'c', 'a', 'B'];
  const project = newProject(admin);
  for (const name of names) newTask(admin, { name, project_id: project.id });
  const equals = { project_id: String(project.id) };
  const sorted = (sort: string, pageSize: ListRequest['pageSize'] = 'all') =>
    core.tasks.list(admin, request(equals, { sort, pageSize })).results.map(({ name }) => name);
  expect(sorted('name')).toEqual(['a', 'A', 'B', 'b', 'c']);
  expect(sorted('-name', 3)).toEqual(['c', 'B', 'b']);
  expect(sorted('id')).toEqual(names);
  expect(sorted('-updated_date')).toEqual(names.toReversed());
  const everywhere = core.tasks.list(admin, request({}, { sort: 'name', pageSize: 3 })).results;
  const all = core.tasks.list(admin, request({}, { sort: 'name' })).results;
  expect(everywhere).toEqual(all.slice(0, 3));
});
