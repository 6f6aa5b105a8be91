import { describe, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { TestClient } from '../../support/client.ts';
import { pictures, useWork } from './work-harness.ts';

/**
 * Two clients that save one job at the same time. Each save is atomic. For two changes of the same object the later one
 * wins. A save that names a deleted object is refused completely and names the object.
 */
const work = await useWork();
const first = work.owner;
const second = await work.workbench.addUser('the-other');
const task = await work.owner.taskWithImages({ labels: [{ name: 'car' }] as LabelWrite[] }, await pictures(3));
const jobId = (await work.jobsOf(task.id))[0]?.id ?? 0;
const labelId = (await work.labelsOf({ task_id: task.id }))[0]?.id ?? 0;
const { id } = await second.good<{ id: number }>('GET', '/api/users/self');
await work.owner.good('PATCH', `/api/jobs/${jobId}`, { json: { assignee: id } });

const box = (x: number, frame = 0) => ({
  type: 'rectangle' as const,
  frame,
  label_id: labelId,
  points: [x, 0, x + 5, 5],
});
const stored = async () => (await first.annotations('jobs', jobId)).shapes;
const xs = async () => (await stored()).map(({ points }) => points[0]).toSorted((a = 0, b = 0) => a - b);
const create = async (client: TestClient, ...numbers: number[]) =>
  (await client.changeAnnotations('jobs', jobId, 'create', { shapes: numbers.map((x) => box(x)) })).shapes;
const patch = (client: TestClient, action: string, shapes: object[]) =>
  client.call('PATCH', `/api/jobs/${jobId}/annotations/`, { query: { action }, json: { shapes } });

describe('simultaneous saves', () => {
  test('keep everything that both create', async () => {
    await first.clearAnnotations('jobs', jobId);
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const answers = await Promise.all(numbers.map((x) => create(x % 2 === 0 ? first : second, x, 100 + x)));
    expect(await xs()).toEqual([...numbers, ...numbers.map((x) => 100 + x)]);
    const ids = answers.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(80);
    expect((await stored()).map(({ id }) => id).toSorted((a = 0, b = 0) => a - b)).toEqual(
      ids.toSorted((a = 0, b = 0) => a - b),
    );
  });

  test('apply one change of an object completely, and all changes of other objects', async () => {
    await first.clearAnnotations('jobs', jobId);
    const [shared, ofFirst, ofSecond] = await create(first, 1, 2, 3);
    const rounds = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(
      rounds.flatMap((round) => [
        patch(first, 'update', [
          { ...shared, points: [1000 + round, 0, 1, 1], z_order: 1 },
          { ...ofFirst, points: [2000 + round, 0, 1, 1] },
        ]),
        patch(second, 'update', [
          { ...shared, points: [3000 + round, 0, 1, 1], z_order: 2 },
          { ...ofSecond, points: [4000 + round, 0, 1, 1] },
        ]),
      ]),
    );
    const after = await stored();
    expect(after.map(({ id }) => id)).toEqual([shared?.id, ofFirst?.id, ofSecond?.id]);
    const x = after[0]?.points[0] ?? 0;
    expect(after[0]?.z_order).toBe(x < 2000 ? 1 : 2);
    expect(after[1]?.points[0]).toBeGreaterThanOrEqual(2000);
    expect(after[2]?.points[0]).toBeGreaterThanOrEqual(4000);
  });

  test('apply a save once that is sent several times', async () => {
    await first.clearAnnotations('jobs', jobId);
    const headers = { 'Idempotency-Key': 'the same save' };
    const send = () => first.changeAnnotations('jobs', jobId, 'create', { shapes: [box(1)] }, headers);
    const answers = await Promise.all(Array.from({ length: 6 }, send));
    expect(new Set(answers.map(({ shapes }) => shapes[0]?.id)).size).toBe(1);
    expect(await xs()).toEqual([1]);
  });
});

describe('consecutive saves', () => {
  test('apply the later change, from any client', async () => {
    await first.clearAnnotations('jobs', jobId);
    const [shape] = await create(first, 1);
    await patch(first, 'update', [{ ...shape, points: [10, 0, 1, 1], occluded: true }]);
    await patch(second, 'update', [{ ...shape, points: [20, 0, 1, 1] }]);
    expect(await stored()).toMatchObject([{ id: shape?.id, points: [20, 0, 1, 1], occluded: false }]);
  });

  test('refuse a save completely that names a deleted object, and say which', async () => {
    await first.clearAnnotations('jobs', jobId);
    const [gone, kept] = await create(first, 1, 2);
    expect((await patch(first, 'delete', [gone ?? {}])).status).toBe(200);
    const refused = await patch(second, 'update', [
      { ...kept, points: [50, 0, 1, 1] },
      { ...gone, points: [60, 0, 1, 1] },
    ]);
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual([
      `Cannot save: there is no shape with id ${gone?.id} here. Nothing of this save was applied.`,
    ]);
    expect(await stored()).toMatchObject([{ id: kept?.id, points: [2, 0, 7, 5] }]);
    const again = await patch(second, 'delete', [gone ?? {}, kept ?? {}]);
    expect(again.status).toBe(400);
    expect(await xs()).toEqual([2]);
    expect((await patch(second, 'update', [{ ...kept, points: [50, 0, 1, 1] }])).status).toBe(200);
  });

  test('change nothing after all annotations were replaced', async () => {
    await first.clearAnnotations('jobs', jobId);
    const [old] = await create(second, 1);
    await first.replaceAnnotations('jobs', jobId, { shapes: [box(7), box(8)] });
    expect((await patch(second, 'update', [{ ...old, points: [90, 0, 1, 1] }])).status).toBe(400);
    expect(await xs()).toEqual([7, 8]);
    await create(second, 9);
    expect(await xs()).toEqual([7, 8, 9]);
  });

  test('cannot change objects of another job', async () => {
    const task = await first.taskWithImages({ labels: [{ name: 'car' }] as LabelWrite[] }, await pictures(1));
    const [foreign] = await work.labelsOf({ task_id: task.id });
    const job = (await work.jobsOf(task.id))[0]?.id ?? 0;
    const { shapes } = await first.changeAnnotations('jobs', job, 'create', {
      shapes: [{ ...box(1), label_id: foreign?.id ?? 0 }],
    });
    expect((await patch(second, 'update', [{ ...shapes[0], label_id: labelId, points: [66, 0, 1, 1] }])).status).toBe(
      400,
    );
    expect((await patch(second, 'delete', [{ ...shapes[0], label_id: labelId }])).status).toBe(400);
    expect((await first.annotations('jobs', job)).shapes).toMatchObject([{ points: [1, 0, 6, 5] }]);
  });
});
