import { beforeEach, describe, expect, test } from 'vitest';
import type { AnnotationChange, LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Job, Task } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import { startPeopleHarness, usePeopleHarness } from '../people/people-harness.ts';

const hourMs = 3600 * 1000;

const harness = await usePeopleHarness();
const owner = harness.addUser('the-owner');

const skeleton = {
  name: 'body',
  type: 'skeleton' as const,
  svg: '<circle/>',
  sublabels: [
    { name: 'head', type: 'points' as const },
    { name: 'foot', type: 'points' as const },
  ],
};

let task: Task;
let jobs: Job[];
let labels: Label[];
beforeEach(async () => {
  const made = { labels: [{ name: 'car' }, { name: 'bus' }, skeleton], segment_size: 2 };
  task = await owner.rest.taskWithImages(made, await makeImages(4, { width: 48, height: 32 }));
  jobs = await owner.rest.jobs(task.id);
  labels = await owner.rest.labels(task.id);
});

const named = (name: string) => labels.find((label) => label.name === name)!;
const box = (frame: number, x: number, label = 'car') => ({
  type: 'rectangle' as const,
  frame,
  label_id: named(label).id,
  points: [x, 0, x + 5, 5],
});
const body = (frame: number) => ({
  type: 'skeleton' as const,
  frame,
  label_id: named('body').id,
  points: [],
  elements: named('body').sublabels.map(({ id }, index) => ({
    type: 'points' as const,
    frame,
    label_id: id,
    points: [index, index],
  })),
});
const keyframe = (frame: number, outside: boolean) => {
  const { label_id: _label, ...shape } = box(frame, 7);
  return { ...shape, outside };
};
/** One object of each kind, in both jobs; the track ends within the first. */
const everything = () => ({
  tags: [{ frame: 1, label_id: named('bus').id }],
  shapes: [box(0, 1), box(3, 2, 'bus'), body(2)],
  tracks: [{ frame: 0, label_id: named('car').id, shapes: [keyframe(0, false), keyframe(1, true)] }],
});

const read = () => owner.rest.annotations('tasks', task.id);
const lefts = ({ shapes }: LabeledData) => shapes.map(({ points }) => points[0]);
const changes = async (query: object = { task_id: String(task.id) }, caller = owner) =>
  (await caller.good('listAnnotationChanges', { query })).results;
const newest = async () => (await changes())[0]!;
const undoChange = async ({ id }: AnnotationChange, caller = owner) =>
  (await caller.good('undoAnnotationChange', { params: { id } })).change;

describe('a replacement', () => {
  test('can be undone completely with its ids, and so can the undo', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    const before = await read();
    expect(await changes()).toEqual([]);
    await owner.rest.replaceAnnotations('tasks', task.id, { shapes: [box(1, 9)] });
    const after = await read();
    const [change, ...others] = await changes();
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      kind: 'replace',
      effect: 'replace',
      task_id: task.id,
      job_id: null,
      object_count: 5,
      user: { username: 'the-owner' },
    });
    expect(Date.parse(change!.expiry_date) - Date.parse(change!.created_date)).toBe(24 * hourMs);

    const undo = await undoChange(change!);
    expect(await read()).toEqual(before);
    expect(undo).toMatchObject({ kind: 'undo', effect: 'replace', object_count: 1 });
    expect(await changes()).toEqual([undo]);
    await undoChange(undo!);
    expect(await read()).toEqual(after);
  });

  test('keeps later edits: undoing stores the current annotations for another undo', async () => {
    await owner.rest.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0, 1)] });
    await owner.rest.clearAnnotations('jobs', jobs[0]!.id);
    await owner.rest.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0, 2), box(1, 3)] });
    const undo = await undoChange(await newest());
    expect(lefts(await read())).toEqual([1]);
    await undoChange(undo!);
    expect(lefts(await read())).toEqual([2, 3]);
  });

  test('of a complete task restores an empty job as empty', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', { shapes: [box(0, 1)] });
    await owner.rest.replaceAnnotations('tasks', task.id, { shapes: [box(0, 2), box(3, 3)] });
    await undoChange(await newest());
    expect(lefts(await read())).toEqual([1]);
  });

  test('of one job is listed with its task and its job only', async () => {
    await owner.rest.changeAnnotations('jobs', jobs[1]!.id, 'create', { shapes: [box(3, 1)] });
    await owner.rest.clearAnnotations('jobs', jobs[1]!.id);
    expect(await changes({ job_id: String(jobs[0]!.id) })).toEqual([]);
    const [change] = await changes({ job_id: String(jobs[1]!.id) });
    expect(change).toMatchObject({ kind: 'clear', job_id: jobs[1]!.id, object_count: 1 });
    expect(await changes()).toEqual([change]);
  });

  test('of nothing by nothing is not a change', async () => {
    await owner.rest.clearAnnotations('tasks', task.id);
    expect(await changes()).toEqual([]);
  });
});

describe('deletions', () => {
  test('of several kinds are restored unchanged beside later work', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    const before = await read();
    await owner.rest.changeAnnotations('tasks', task.id, 'delete', before);
    expect(await read()).toMatchObject({ tags: [], shapes: [], tracks: [] });
    const made = await owner.rest.changeAnnotations('tasks', task.id, 'create', { shapes: [box(3, 9)] });

    const change = await newest();
    expect(change).toMatchObject({ kind: 'delete', effect: 'add', object_count: 5 });
    const undo = await undoChange(change);
    const now = await read();
    expect({ ...now, shapes: now.shapes.filter(({ id }) => id !== made.shapes[0]!.id) }).toEqual(before);
    await undoChange(undo!);
    expect((await read()).shapes).toEqual(made.shapes);
  });

  test('by one user in sequence are one change, for ten minutes', async () => {
    const shapes = [1, 2, 3].map((x) => box(0, x));
    const made = await owner.rest.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes });
    for (const shape of made.shapes.slice(0, 2))
      await owner.rest.changeAnnotations('jobs', jobs[0]!.id, 'delete', { shapes: [shape] });
    expect(await changes()).toMatchObject([{ kind: 'delete', object_count: 2 }]);
    harness.advance(hourMs / 4);
    await owner.rest.changeAnnotations('jobs', jobs[0]!.id, 'delete', { shapes: made.shapes.slice(2) });
    expect(await changes()).toMatchObject([{ object_count: 1 }, { object_count: 2 }]);
    for (const change of await changes()) await undoChange(change);
    expect((await owner.rest.annotations('jobs', jobs[0]!.id)).shapes).toEqual(made.shapes);
  });

  test('that are refused cannot be undone', async () => {
    const [made] = (await owner.rest.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0, 1)] })).shapes;
    const both = { ...everything(), tags: [], tracks: [], shapes: [made!, { ...made!, id: 987_654 }] };
    const params = { id: jobs[0]!.id };
    await owner.refused(400, 'changeJobAnnotations', { params, query: { action: 'delete' }, body: both });
    expect(lefts(await read())).toEqual([1]);
    expect(await changes()).toEqual([]);
  });
});

describe('labels', () => {
  test('are restored with their annotations and ids, which undoes their change', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    const before = await read();
    const kept = await owner.rest.labels(task.id);
    const gone = [named('car'), named('body')].map(({ id }) => ({ id, deleted: true }));
    await owner.good('updateTask', { params: { id: task.id }, body: { labels: gone } });
    expect(await read()).toMatchObject({ tags: [{}], shapes: [{}], tracks: [] });
    const change = await newest();
    expect(change).toMatchObject({ kind: 'label', detail: 'car, body', object_count: 3, task_id: task.id });
    await undoChange(change);
    expect(await read()).toEqual(before);
    expect(await owner.rest.labels(task.id)).toEqual(kept);
  });

  test('that are deleted block annotations that use them until they are restored', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    const before = await read();
    await owner.rest.clearAnnotations('tasks', task.id);
    const clearing = await newest();
    await owner.good('deleteLabel', { params: { id: named('bus').id } });
    const refusal = await owner.refused(409, 'undoAnnotationChange', { params: { id: clearing.id } });
    expect(JSON.stringify(refusal)).toContain('Undo the deletion of the labels first');
    expect(lefts(await read())).toEqual([]);
    const deletion = await newest();
    expect(deletion).toMatchObject({ kind: 'label', detail: 'bus', object_count: 0 });
    expect(await undoChange(deletion)).toBeNull();
    await undoChange(clearing);
    expect(await read()).toEqual(before);
  });

  test('are not restored beside others of their name', async () => {
    await owner.good('deleteLabel', { params: { id: named('bus').id } });
    await owner.good('updateTask', { params: { id: task.id }, body: { labels: [{ name: 'bus' }] } });
    const change = await newest();
    const refusal = await owner.refused(409, 'undoAnnotationChange', { params: { id: change.id } });
    expect(JSON.stringify(refusal)).toContain('another label is now named \\"bus\\"');
    expect(await newest()).toEqual(change);
  });

  test('of a project are restored in all its tasks', async () => {
    const project = await owner.good('createProject', { body: { name: 'p', labels: [{ name: 'car' }] } });
    const label = (await owner.good('listLabels', { query: { project_id: String(project.id) } })).results[0]!;
    const tasks = [];
    for (const name of ['first', 'second']) {
      const made = { name, project_id: project.id };
      const one = await owner.rest.taskWithImages(made, await makeImages(1, { width: 48, height: 32 }));
      const shape = { type: 'rectangle' as const, frame: 0, label_id: label.id, points: [1, 2, 3, 4] };
      await owner.rest.changeAnnotations('tasks', one.id, 'create', { shapes: [shape] });
      tasks.push(one);
    }
    await owner.good('deleteLabel', { params: { id: label.id } });
    const [change] = await changes({ project_id: String(project.id) });
    expect(change).toMatchObject({ kind: 'label', project_id: project.id, task_id: null, object_count: 2 });
    expect(await changes({ task_id: String(tasks[1]!.id) })).toEqual([change]);
    await undoChange(change!);
    for (const one of tasks) expect((await owner.rest.annotations('tasks', one.id)).shapes).toHaveLength(1);
  });

  test('are mapped to those of the project that a task was moved into', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', { shapes: [box(0, 1)] });
    await owner.rest.clearAnnotations('tasks', task.id);
    const more = [{ name: 'first' }, { name: 'car' }];
    const project = await owner.good('createProject', { body: { name: 'p', labels: more } });
    await owner.good('updateTask', { params: { id: task.id }, body: { project_id: project.id } });
    const [change, ...others] = await changes();
    expect(others).toEqual([]);
    await undoChange(change!);
    const car = (await owner.good('listLabels', { query: { project_id: String(project.id), name: 'car' } }))
      .results[0]!;
    expect((await read()).shapes).toMatchObject([{ label_id: car.id, points: [1, 0, 6, 5] }]);
  });
});

describe('an undoable change', () => {
  test('expires after a day, and its rows are deleted', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    await owner.rest.clearAnnotations('tasks', task.id);
    const change = await newest();
    harness.advance(23 * hourMs);
    expect(await changes()).toEqual([change]);
    harness.advance(hourMs);
    expect(await changes()).toEqual([]);
    const refusal = await owner.refused(404, 'undoAnnotationChange', { params: { id: change.id } });
    expect(JSON.stringify(refusal)).toContain('Cannot undo this change');
    harness.core.housekeep();
    const sets = harness.database.query('SELECT count(*) FROM annotation_set WHERE change_id = ?').pluck();
    expect(sets.get(change.id)).toBe(0);
  });

  test('is one of the last ten replacements of a task', async () => {
    for (let x = 0; x < 12; x += 1)
      await owner.rest.replaceAnnotations('jobs', jobs[x % 2]!.id, { shapes: [box((x % 2) * 2, x)] });
    expect(await changes()).toHaveLength(10);
  });

  test('can be undone once', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    await owner.rest.clearAnnotations('tasks', task.id);
    const change = await newest();
    await undoChange(change);
    await owner.refused(404, 'undoAnnotationChange', { params: { id: change.id } });
  });

  test('is not recorded if the setting is off', async () => {
    process.env['LIMNER_UNDO_HOURS'] = '0';
    const other = await startPeopleHarness().finally(() => delete process.env['LIMNER_UNDO_HOURS']);
    try {
      const made = await other.admin.rest.taskWithImages({ labels: [{ name: 'car' }] }, await makeImages(1));
      const [label] = await other.admin.rest.labels(made.id);
      const shape = { type: 'rectangle' as const, frame: 0, label_id: label!.id, points: [1, 2, 3, 4] };
      const { shapes } = await other.admin.rest.changeAnnotations('tasks', made.id, 'create', {
        shapes: [shape, shape],
      });
      await other.admin.rest.changeAnnotations('tasks', made.id, 'delete', { shapes: shapes.slice(1) });
      await other.admin.rest.clearAnnotations('tasks', made.id);
      expect((await other.admin.rest.annotations('tasks', made.id)).shapes).toEqual([]);
      const query = { task_id: String(made.id) };
      expect(await other.admin.good('listAnnotationChanges', { query })).toEqual({ results: [] });
      const kept = other.database.query('SELECT count(*) FROM annotation_set WHERE change_id IS NOT NULL').pluck();
      expect(kept.get()).toBe(0);
    } finally {
      await other.stop();
    }
  });

  test('is deleted with its task', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    await owner.rest.clearAnnotations('tasks', task.id);
    const { id } = await newest();
    await owner.good('deleteTask', { params: { id: task.id } });
    await owner.refused(404, 'undoAnnotationChange', { params: { id } });
  });

  test('can be undone by users who may change the annotations', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    await owner.rest.clearAnnotations('jobs', jobs[0]!.id);
    await owner.rest.clearAnnotations('tasks', task.id);
    const [ofTask, ofJob] = await changes();
    const helper = harness.addUser(`helper-${task.id}`);
    const stranger = harness.addUser(`stranger-${task.id}`);
    await harness.admin.good('updateJob', { params: { id: jobs[0]!.id }, body: { assignee: helper.id } });
    await stranger.refused(403, 'listAnnotationChanges', { query: { job_id: String(jobs[0]!.id) } });
    await stranger.refused(403, 'undoAnnotationChange', { params: { id: ofJob!.id } });
    expect(await changes({ job_id: String(jobs[0]!.id) }, helper)).toEqual([ofTask, ofJob]);
    await helper.refused(403, 'undoAnnotationChange', { params: { id: ofTask!.id } });
    expect(await undoChange(ofJob!, helper)).toMatchObject({ user: { username: helper.username } });
  });

  test('notifies listeners of job, task and project, and changes later reads', async () => {
    await owner.rest.changeAnnotations('tasks', task.id, 'create', everything());
    await read();
    await owner.rest.clearAnnotations('jobs', jobs[0]!.id);
    const before = await owner.rest.task(task.id);
    const cleared = (await owner.rest.jobs(task.id))[0]!;
    harness.advance(1000);
    await undoChange(await newest());
    const after = await owner.rest.task(task.id);
    expect(Date.parse(after.updated_date)).toBeGreaterThan(Date.parse(before.updated_date));
    const job = (await owner.rest.jobs(task.id))[0]!;
    expect(Date.parse(job.updated_date)).toBeGreaterThan(Date.parse(cleared.updated_date));
    expect((await owner.rest.annotations('jobs', jobs[0]!.id)).shapes).toHaveLength(1);
  });
});
