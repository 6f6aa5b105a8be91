import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnnotationChange } from '../../../preload/contract/schema/annotations.ts';
import type { RemovedFrames } from '../../../preload/contract/schema/resources.ts';
import { imageForm, type NamedImage, writeImages } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { picture, startWork, useWork } from './work-harness.ts';

const work = await useWork();
const { owner } = work;

const named = async (names: readonly string[], width = 64): Promise<NamedImage[]> =>
  Promise.all(names.map(async (name) => ({ name, bytes: await picture(name, width) })));
const newTask = (names: readonly string[], task: object = {}) =>
  named(names).then((images) => owner.taskWithImages({ labels: [{ name: 'thing' }], ...task }, images));
const remove = (id: number, json: object) =>
  owner.good<RemovedFrames>('POST', `/api/limner/tasks/${id}/frames/remove`, { json });
const changesOf = async (id: number) =>
  (await owner.good<{ results: AnnotationChange[] }>('GET', `/api/limner/annotation-changes?task_id=${id}`)).results;
const undo = async (id: number) =>
  (await owner.good<{ change: AnnotationChange }>('POST', `/api/limner/annotation-changes/${id}/undo`)).change;
const original = (id: number, frame: number) => `/api/tasks/${id}/data?type=frame&number=${frame}&quality=original`;
const box = (label: number, frame: number) => ({
  type: 'rectangle' as const,
  label_id: label,
  frame,
  points: [1, 1, 9, 8],
  attributes: [],
});

async function annotated(names: readonly string[], task: object = {}) {
  const made = await newTask(names, task);
  const [label] = await owner.labels(made.id);
  const shapes = names.map((_, frame) => box(label!.id, frame));
  const tags = [{ frame: 1, label_id: label!.id, attributes: [] }];
  await owner.replaceAnnotations('tasks', made.id, { shapes, tags });
  return made;
}

test('removes the images of frames with their annotations and keeps the numbers of all frames', async () => {
  const { id } = await annotated(['a.png', 'b.png', 'c.png'], { segment_size: 2 });
  const before = await owner.annotations('tasks', id);
  const size = (await picture('b.png')).length;
  const preview = { frame_count: 1, object_count: 2, bytes: size, files_in_place: 0, change: null };
  expect(await remove(id, { frames: [1], preview: true })).toEqual(preview);
  expect(await owner.annotations('tasks', id)).toEqual(before);

  expect(await remove(id, { frames: [1] })).toEqual({ ...preview, change: expect.any(Number) });
  const { shapes, tags } = await owner.annotations('tasks', id);
  expect(shapes).toEqual(before.shapes.filter(({ frame }) => frame !== 1));
  expect(tags).toEqual([]);
  const meta = await owner.meta('tasks', id);
  expect(meta).toMatchObject({ size: 3, deleted_frames: [1] });
  expect(meta.frames).toMatchObject([
    { name: 'a.png', width: 64 },
    { name: 'b.png', width: 64, height: 48, limner_state: 'unusable' },
    { name: 'c.png' },
  ]);
  expect(await owner.bytes(original(id, 2))).toEqual(await picture('c.png'));
  const refused = await owner.call('GET', original(id, 1));
  expect(refused).toMatchObject({ status: 400 });
  expect(JSON.stringify(refused.body)).toContain('b.png was removed on ');
  // Clients of CVAT download chunks, with an image for each frame.
  expect(await owner.bytes(`/api/tasks/${id}/data?type=chunk&number=0&quality=compressed`)).not.toHaveLength(0);
  await owner.good('PATCH', `/api/tasks/${id}/data/meta`, { json: { deleted_frames: [] } });
  expect(await owner.meta('tasks', id)).toMatchObject({ deleted_frames: [1] });
  expect(await remove(id, { frames: [1] })).toMatchObject({ frame_count: 0, change: null });
});

test('restores removed images with their annotations, and removes them again', async () => {
  const { id } = await annotated(['a.png', 'b.png']);
  const before = await owner.annotations('tasks', id);
  const { change } = await remove(id, { frames: [1] });
  expect((await changesOf(id))[0]).toMatchObject({ id: change, kind: 'frames', object_count: 2, detail: 'b.png' });
  const redo = await undo(change!);
  const { shapes, tags } = await owner.annotations('tasks', id);
  expect({ shapes, tags }).toEqual({ shapes: before.shapes, tags: before.tags });
  expect(await owner.meta('tasks', id)).toMatchObject({ deleted_frames: [] });
  expect(await owner.bytes(original(id, 1))).toEqual(await picture('b.png'));

  expect(redo).toMatchObject({ kind: 'frames', effect: 'remove' });
  await undo(redo.id);
  expect((await owner.annotations('tasks', id)).shapes).toHaveLength(1);
  expect(await owner.meta('tasks', id)).toMatchObject({ deleted_frames: [1] });
});

test('removes all deleted frames, and restores them as deleted frames', async () => {
  const { id } = await newTask(['a.png', 'b.png', 'c.png']);
  await owner.good('PATCH', `/api/tasks/${id}/data/meta`, { json: { deleted_frames: [0, 2] } });
  const { change } = await remove(id, {});
  expect(await remove(id, {})).toMatchObject({ frame_count: 0 });
  await undo(change!);
  expect(await owner.meta('tasks', id)).toMatchObject({ deleted_frames: [0, 2] });
  expect(await owner.bytes(original(id, 2))).toEqual(await picture('c.png'));
});

test('restores the image that an added one replaced', async () => {
  const { id } = await newTask(['a.png']);
  const body = imageForm(await named(['a.png'], 32), { existing_names: 'replace' });
  const { rq_id: request } = await owner.good<{ rq_id: string }>('POST', `/api/limner/tasks/${id}/images/`, { body });
  await owner.finished(request);
  expect(await owner.bytes(original(id, 0))).toEqual(await picture('a.png', 32));
  const [change] = await changesOf(id);
  expect(change).toMatchObject({ kind: 'frames', object_count: 0, detail: 'a.png' });
  const redo = await undo(change!.id);
  expect(await owner.bytes(original(id, 0))).toEqual(await picture('a.png'));
  expect((await owner.meta('tasks', id)).frames).toMatchObject([{ width: 64 }]);
  await undo(redo.id);
  expect(await owner.bytes(original(id, 0))).toEqual(await picture('a.png', 32));
});

test('keeps removed frames out of exports, and removed in a restored backup', async () => {
  const { id } = await annotated(['a.png', 'b.png', 'c.png']);
  await remove(id, { frames: [1] });
  const { rq_id: request } = await owner.good<{ rq_id: string }>('POST', `/api/tasks/${id}/backup/export`);
  const { result_url: url } = await owner.finished(request);
  const form = new FormData();
  form.set('task_file', new Blob([new Uint8Array(await owner.bytes(url ?? ''))]), 'task.zip');
  const restoring = await owner.good<{ rq_id: string }>('POST', '/api/tasks/backup/', { body: form });
  const { result_id: restored } = await owner.finished(restoring.rq_id);
  expect(await owner.meta('tasks', restored!)).toMatchObject({ size: 3, deleted_frames: [1] });
  expect(JSON.stringify((await owner.call('GET', original(restored!, 1))).body)).toContain('b.png was removed');
  expect((await owner.annotations('tasks', restored!)).shapes.map(({ frame }) => frame)).toEqual([0, 2]);
});

test('leaves images that are used in place on disk', async () => {
  const folder = join(temporaryFolder(), 'photos');
  mkdirSync(folder);
  await writeImages(folder, await named(['a.png', 'b.png']));
  const { id } = await owner.createTask({ labels: [{ name: 'thing' }] });
  await owner.finished(await owner.useServerFiles(id, [folder]));
  expect(await remove(id, { frames: [0] })).toMatchObject({ frame_count: 1, bytes: 0, files_in_place: 1 });
  expect(existsSync(join(folder, 'a.png'))).toBe(true);
  expect(await owner.bytes(original(id, 1))).toEqual(await picture('b.png'));
});

test('refuses frames that do not exist and tasks without data', async () => {
  const { id } = await newTask(['a.png']);
  const path = `/api/limner/tasks/${id}/frames/remove`;
  const { status, body } = await owner.call('POST', path, { json: { frames: [4] } });
  expect({ status, body }).toEqual({
    status: 400,
    body: { frames: ['Frame 4 does not exist: the task has the frames 0 to 0.'] },
  });
  const empty = await owner.createTask({ labels: [{ name: 'thing' }] });
  const answer = await owner.call('POST', `/api/limner/tasks/${empty.id}/frames/remove`, { json: { frames: [0] } });
  expect(JSON.stringify(answer.body)).toContain('has no data yet');
});

test('deletes the files of removed images when the removal can no longer be undone', async () => {
  process.env['LIMNER_UNDO_HOURS'] = '0';
  const other = await startWork().finally(() => delete process.env['LIMNER_UNDO_HOURS']);
  try {
    const images = await named(['a.png', 'b.png']);
    const { id } = await other.owner.taskWithImages({ labels: [{ name: 'thing' }] }, images);
    const file = (name: string) => join(other.workbench.dataDir, 'data', String(id), 'raw', name);
    expect([existsSync(file('a.png')), existsSync(file('b.png'))]).toEqual([true, true]);
    const json = { frames: [1] };
    const removed = await other.owner.good<RemovedFrames>('POST', `/api/limner/tasks/${id}/frames/remove`, { json });
    expect(removed.change).toBeNull();
    await expect.poll(() => existsSync(file('b.png'))).toBe(false);
    expect(await other.owner.bytes(original(id, 0))).toEqual(await picture('a.png'));
    expect(existsSync(file('a.png'))).toBe(true);
  } finally {
    await other.stop();
  }
});
