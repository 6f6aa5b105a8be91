import { describe, expect, test } from 'vitest';
import { pictures, useWork } from './work-harness.ts';

const work = await useWork();
const task = await work.owner.taskWithImages({ labels: [{ name: 'car' }], segment_size: 3 }, await pictures(6), {
  sorting_method: 'natural',
});
const [first, second] = await work.owner.jobs(task.id);
const path = (frame: number, job = first!.id) => `/api/limner/jobs/${job}/frames/${frame}`;
const set = (frame: number, deleted: boolean, job?: number) =>
  work.owner.good('PATCH', path(frame, job), { json: { deleted } });
const deletedFrames = async (id = first!.id) => (await work.owner.meta('jobs', id)).deleted_frames;

describe('one frame of a job', () => {
  test('is deleted and restored, and the other deleted frames remain', async () => {
    await work.owner.good('PATCH', `/api/tasks/${task.id}/data/meta`, { json: { deleted_frames: [0, 4] } });
    expect(await set(2, true)).toEqual({ frame: 2, name: '2.png', width: 64, height: 48, deleted: true });
    expect(await set(2, true)).toMatchObject({ deleted: true });
    expect(await deletedFrames()).toEqual([0, 2]);
    expect(await set(0, false)).toMatchObject({ frame: 0, deleted: false });
    expect(await deletedFrames()).toEqual([2]);
    expect(await deletedFrames(second!.id)).toEqual([4]);
    expect(await work.owner.good('GET', path(2))).toMatchObject({ deleted: true });
    expect(await work.owner.good('GET', path(1))).toMatchObject({ deleted: false });
  });

  test('cannot be deleted through another job', async () => {
    expect(await work.owner.call('PATCH', path(3), { json: { deleted: true } })).toMatchObject({ status: 404 });
    expect(await deletedFrames(second!.id)).toEqual([4]);
  });

  test('of the ground truth is removed from the validation only', async () => {
    const { id } = await work.owner.good<{ id: number }>('POST', '/api/jobs', {
      json: { type: 'ground_truth', task_id: task.id, frame_selection_method: 'manual', frames: [1, 3, 5] },
    });
    expect(await set(5, true, id)).toMatchObject({ frame: 5, deleted: true });
    await set(1, true, id);
    expect(await deletedFrames(id)).toEqual([1, 5]);
    expect(await set(5, false, id)).toMatchObject({ deleted: false });
    expect(await deletedFrames(id)).toEqual([1]);
    expect(await deletedFrames()).toEqual([2]);
    expect(await work.owner.call('PATCH', path(2, id), { json: { deleted: true } })).toMatchObject({ status: 400 });
  });
});
