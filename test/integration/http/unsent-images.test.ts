import { afterAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { DataMeta, JobFrame, SentImages, unsentImagesSchema } from '../../../preload/contract/schema/resources.ts';
import { makeImage } from '../../support/images.ts';
import { startWorkbench } from './support.ts';

const { owner: client, stop } = await startWorkbench();
afterAll(stop);

const image = await makeImage({ width: 64, height: 48 });
const count = 12;
const names = Array.from({ length: count }, (_, index) => `photos/photo-${index + 1}.jpg`);

interface Opened {
  readonly id: number;
  readonly job: number;
  readonly request: string;
}

async function open(given: readonly string[] = names): Promise<Opened> {
  const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
  const { rq_id, job_id } = await client.good<{ rq_id: string; job_id: number }>(
    'POST',
    `/api/limner/tasks/${id}/unsent-images`,
    { json: { names: given } },
  );
  return { id, job: job_id, request: rq_id };
}

function send({ id }: Pick<Opened, 'id'>, images: Readonly<Record<number, Buffer>>): Promise<SentImages> {
  const form = new FormData();
  for (const [frame, bytes] of Object.entries(images))
    form.append(`images[${frame}]`, new Blob([new Uint8Array(bytes)]), 'any.jpg');
  return client.good<SentImages>('POST', `/api/limner/tasks/${id}/unsent-images/files`, { body: form });
}

const all = (numbers: Iterable<number>) => Object.fromEntries([...numbers].map((frame) => [frame, image]));
const unsent = ({ id }: Opened, from = 0) =>
  client.good<z.output<typeof unsentImagesSchema>>('GET', `/api/limner/tasks/${id}/unsent-images`, { query: { from } });
const listed = ({ job }: Opened) => client.good<DataMeta>('GET', `/api/limner/jobs/${job}/frames`);
const frameOf = ({ job }: Opened, frame: number) =>
  client.good<JobFrame>('GET', `/api/limner/jobs/${job}/frames/${frame}`);
const annotate = async ({ id, job }: Opened, frame: number): Promise<void> => {
  const box = { type: 'rectangle', frame, points: [1, 1, 9, 9], label_id: (await client.labels(id))[0]?.id };
  await client.good('PATCH', `/api/jobs/${job}/annotations/`, {
    query: { action: 'create' },
    json: { version: 0, tags: [], tracks: [], shapes: [box] },
  });
};
const messageOf = (answer: { readonly body: unknown }): string => JSON.stringify(answer.body);

describe('a task that is opened by the names of its images', () => {
  it('has frames in natural order and takes annotations before any image was sent', async () => {
    const task = await open([...names].reverse());
    expect((await listed(task)).frames?.map(({ name, limner_state }) => [name, limner_state])).toEqual(
      names.map((name) => [name, 'unsent']),
    );
    expect((await client.task(task.id)).size).toBe(count);
    await annotate(task, 3);
    expect((await client.request(task.request)).status).toBe('started');
    await send(task, all(Array(count).keys()));
    await client.finished(task.request);
    const meta = await client.meta('jobs', task.job);
    expect(meta.frames?.map(({ name, width, height }) => [name, width, height])).toEqual(
      names.map((name) => [name, 64, 48]),
    );
    expect((await client.annotations('jobs', task.job)).shapes.map(({ frame }) => frame)).toEqual([3]);
  });

  it('says that an image was not sent, and shows those that were', async () => {
    const task = await open();
    expect(await send(task, { 5: image })).toEqual({
      results: [{ frame: 5, width: 64, height: 48 }],
      unsent: count - 1,
    });
    const path = `/api/jobs/${task.job}/data?type=frame&quality=original&number=`;
    expect((await client.call('GET', `${path}5`)).status).toBe(200);
    const refused = await client.call('GET', `${path}6`);
    expect([refused.status, messageOf(refused)]).toEqual([
      400,
      expect.stringContaining('Cannot show photos/photo-7.jpg: the image was not sent yet.'),
    ]);
    expect(await frameOf(task, 6)).toMatchObject({ width: 0, deleted: false, limner_state: 'unsent' });
    expect(await unsent(task)).toMatchObject({ total: count, frames: [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11] });
    expect(await client.good('GET', `/api/limner/jobs/${task.job}/frames/progress`)).toEqual({
      read: 1,
      total: count,
      unsent: count - 1,
    });
  });

  it('lists the unsent images of a large task in parts', async () => {
    const many = Array.from({ length: 6000 }, (_, index) => `many/${index}.jpg`);
    const task = await open(many);
    const [first, second] = [await unsent(task), await unsent(task, 5000)];
    expect([first.total, first.next, second.next]).toEqual([6000, 5000, null]);
    expect([...first.names, ...second.names]).toEqual(many);
    expect([...first.frames, ...second.frames]).toEqual([...many.keys()]);
  });

  it('lists a part of the frames of a job, with all of its deleted frames', async () => {
    const task = await open();
    await client.good('PATCH', `/api/limner/jobs/${task.job}/frames/1`, { json: { deleted: true } });
    const path = `/api/limner/jobs/${task.job}/frames`;
    const part = await client.good<DataMeta>('GET', path, { query: { frame: 10, count: 5 } });
    expect(part.frames?.map(({ name }) => name)).toEqual(names.slice(10));
    expect([part.size, part.deleted_frames]).toEqual([count, [1]]);
    const none = await client.good<DataMeta>('GET', path, { query: { frame: count } });
    expect(none.frames).toEqual([]);
  });

  it('refuses what needs all images, in words', async () => {
    const task = await open();
    await send(task, { 0: image });
    const meta = await client.call('GET', `/api/jobs/${task.job}/data/meta`);
    expect([meta.status, messageOf(meta)]).toEqual([
      400,
      expect.stringContaining('11 of the 12 images of the task were not sent yet'),
    ]);
    const started = await client.startExport('tasks', task.id, 'COCO 1.0');
    expect((await client.ended(started)).message).toContain('11 of the 12 images of the task were not sent yet');
  });

  it('keeps the number of a file that is not an image, says why, and reports it', async () => {
    const task = await open();
    const text = Buffer.from('not an image');
    const { results } = await send(task, { ...all(Array(count).keys()), 4: text });
    expect(results.find(({ frame }) => frame === 4)).toEqual({
      frame: 4,
      width: 0,
      height: 0,
      problem: 'photos/photo-5.jpg is not an image: it starts like text.',
    });
    expect((await client.finished(task.request)).message).toContain('1 of the files could not be used');
    const meta = await client.meta('jobs', task.job);
    expect([meta.frames?.length, meta.deleted_frames]).toEqual([count, [4]]);
    await send(task, { 4: image });
    expect((await client.meta('jobs', task.job)).deleted_frames).toEqual([]);
  });

  it('skips an image that it has', async () => {
    const task = await open();
    await send(task, { 2: image });
    const other = await makeImage({ width: 10, height: 10 });
    expect(await send(task, { 2: other, 3: other })).toEqual({
      results: [{ frame: 3, width: 10, height: 10 }],
      unsent: count - 2,
    });
    expect(await frameOf(task, 2)).toMatchObject({ width: 64, height: 48 });
  });

  it('excludes the frames that never came, and takes their images later', async () => {
    const task = await open();
    await annotate(task, 11);
    await send(task, all(Array(10).keys()));
    await client.good('DELETE', `/api/limner/tasks/${task.id}/unsent-images`);
    await client.finished(task.request);
    expect((await client.meta('jobs', task.job)).deleted_frames).toEqual([10, 11]);
    expect((await frameOf(task, 11)).problem).toBe('photos/photo-12.jpg was not sent.');
    await send(task, { 11: image });
    expect((await client.meta('jobs', task.job)).deleted_frames).toEqual([10]);
    expect((await client.annotations('jobs', task.job)).shapes.map(({ frame }) => frame)).toEqual([11]);
  });

  it('ends its request when the task is deleted, and does not delay other requests', async () => {
    const waiting = await Promise.all([open(), open(), open()]);
    const whole = await open(['a.png', 'b.png']);
    await send(whole, { 0: image, 1: image });
    const exported = await client.startExport('tasks', whole.id, 'COCO 1.0');
    expect((await client.finished(exported)).status).toBe('finished');
    for (const { id, request } of waiting) {
      await client.good('DELETE', `/api/tasks/${id}`);
      expect((await client.ended(request)).message).toContain('the task was deleted');
    }
  });

  it.each([
    ['notes.txt', 'is not a relative path of an image'],
    ['../a.jpg', 'is not a relative path of an image'],
    ['related_images/a_jpg/b.jpg', 'is not a relative path of an image'],
  ])('refuses the name %s', async (name, reason) => {
    const { id } = await client.createTask({ labels: [] });
    const refused = await client.call('POST', `/api/limner/tasks/${id}/unsent-images`, { json: { names: [name] } });
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('refuses the same name twice, and names for a task that has data', async () => {
    const task = await open();
    const path = `/api/limner/tasks/${task.id}/unsent-images`;
    expect((await client.call('POST', path, { json: { names } })).status).toBe(400);
    const { id } = await client.createTask({ labels: [] });
    const twice = await client.call('POST', `/api/limner/tasks/${id}/unsent-images`, {
      json: { names: ['a.jpg', 'a.jpg'] },
    });
    expect([twice.status, messageOf(twice)]).toEqual([400, expect.stringContaining('only once')]);
  });
});
