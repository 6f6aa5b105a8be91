import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { DataMeta, JobFrame } from '../../../preload/contract/schema/resources.ts';
import { makeImage, makeImages } from '../../support/images.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { startWorkbench } from './support.ts';

const { owner: client, stop } = await startWorkbench();
afterAll(stop);
const top = sharedFolder();

/** More than the service reads in one portion, so that the reading is seen while it runs. */
const count = 600;

async function folderOf(name: string, frames = count): Promise<string> {
  const folder = join(top, name);
  mkdirSync(folder);
  const small = await makeImage({ width: 64, height: 48 });
  for (let index = 0; index < frames; index += 1) {
    writeFileSync(join(folder, `photo-${String(index).padStart(5, '0')}.jpg`), small);
  }
  return folder;
}

const photo = (folder: string, index: number): string => join(folder, `photo-${String(index).padStart(5, '0')}.jpg`);

/** A task that opens when its folder is listed. */
async function openFolder(folder: string, data: object = {}) {
  const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
  const request = await client.useServerFiles(id, [folder], { sorting_method: 'natural', open_early: true, ...data });
  for (;;) {
    const [job] = await client.jobs(id);
    if (job) return { id, job: job.id, request };
    const { status, message } = await client.request(request);
    if (status === 'failed') throw new Error(message);
    await sleep(5);
  }
}

const listed = (job: number) => client.good<DataMeta>('GET', `/api/limner/jobs/${job}/frames`);
const frameOf = (job: number, frame: number) => client.good<JobFrame>('GET', `/api/limner/jobs/${job}/frames/${frame}`);
const statesOf = ({ frames }: DataMeta, state: string): number[] =>
  (frames ?? []).flatMap(({ limner_state }, frame) => (limner_state === state ? [frame] : []));

/** Lines of images in an export: number, name and size. */
async function exported(id: number): Promise<string[]> {
  const file = join(top, `export-${id}.zip`);
  await client.exportDataset('tasks', id, 'CVAT for images 1.1', file);
  const { 'annotations.xml': xml } = await entriesOf(readFileSync(file));
  return String(xml)
    .split('\n')
    .filter((line) => line.includes('<image '));
}

describe('a folder that opens when it is listed', () => {
  it('has its frames, jobs and names before its images are read', async () => {
    const { id, job, request } = await openFolder(await folderOf('early', 3000), { chunk_size: 100 });
    const meta = await listed(job);
    expect((await client.request(request)).status).not.toBe('finished');
    expect(statesOf(meta, 'unread').length).toBeGreaterThan(0);
    expect(meta.frames?.map(({ name }) => name)).toEqual(
      Array.from({ length: 3000 }, (_, index) => `photo-${String(index).padStart(5, '0')}.jpg`),
    );
    expect((await client.task(id)).size).toBe(3000);
    const last = await frameOf(job, 2999);
    expect([last.width, last.height]).toEqual([64, 48]);
    await client.finished(request);
    expect(statesOf(await listed(job), 'unread')).toEqual([]);
  });

  it('gives clients of CVAT the sizes of all frames, however early they ask', async () => {
    const { id, job } = await openFolder(await folderOf('sizes', 3000));
    for (const meta of [await client.meta('jobs', job), await client.meta('tasks', id)]) {
      expect(new Set(meta.frames?.map(({ width, height }) => `${width} ${height}`))).toEqual(new Set(['64 48']));
    }
  });

  it('keeps the number of a file that is not an image, says why, and reports it', async () => {
    const folder = await folderOf('bad');
    for (let index = 5; index < count; index += 10) writeFileSync(photo(folder, index), 'not an image');
    writeFileSync(join(folder, 'notes.txt'), 'notes');
    const { id, job, request } = await openFolder(folder);
    const box = { type: 'rectangle', frame: 6, points: [1, 1, 9, 9], label_id: (await client.labels(id))[0]?.id };
    await client.good('PATCH', `/api/jobs/${job}/annotations/`, {
      query: { action: 'create' },
      json: { version: 0, tags: [], tracks: [], shapes: [box] },
    });
    expect(await frameOf(job, 595)).toMatchObject({
      name: 'photo-00595.jpg',
      width: 0,
      deleted: true,
      problem: 'photo-00595.jpg is not an image: it starts like text.',
    });
    const shown = await client.call('GET', `/api/jobs/${job}/data?type=frame&quality=original&number=15`);
    expect([shown.status, JSON.stringify(shown.body)]).toEqual([400, expect.stringContaining('is not an image')]);
    const ended = await client.finished(request);
    expect(ended.message).toContain('61 of the files could not be used');
    expect((await client.report(request)).invalid.map(({ file }) => file)).toContain('notes.txt');
    const meta = await client.meta('jobs', job);
    expect(meta.frames).toHaveLength(count);
    expect(meta.deleted_frames).toHaveLength(60);
    expect((await client.annotations('jobs', job)).shapes[0]?.frame).toBe(6);
    const restored = await client.good<DataMeta>('PATCH', `/api/jobs/${job}/data/meta`, {
      json: { deleted_frames: [] },
    });
    expect(restored.deleted_frames).toHaveLength(60);
    const refused = await client.call('PATCH', `/api/limner/jobs/${job}/frames/15`, { json: { deleted: false } });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('Cannot restore frame 15'),
    ]);
  });

  it('reads a file again that has become an image', async () => {
    const folder = await folderOf('repaired', 40);
    writeFileSync(photo(folder, 20), '');
    const { job, request } = await openFolder(folder);
    await client.finished(request);
    expect((await frameOf(job, 20)).problem).toContain('is empty');
    writeFileSync(photo(folder, 20), await makeImage({ width: 30, height: 20 }));
    expect(await frameOf(job, 20)).toEqual({
      frame: 20,
      name: 'photo-00020.jpg',
      width: 30,
      height: 20,
      deleted: false,
    });
  });

  it('keeps a frame that the user deleted before its file was read', async () => {
    const { job, request } = await openFolder(await folderOf('deleted', 3000));
    await client.good('PATCH', `/api/limner/jobs/${job}/frames/2500`, { json: { deleted: true } });
    await client.finished(request);
    expect((await client.meta('jobs', job)).deleted_frames).toEqual([2500]);
  });

  it('numbers the files that it listed, although the folder changes while they are read', async () => {
    const folder = await folderOf('changing', 3000);
    const { job, request } = await openFolder(folder);
    rmSync(photo(folder, 2990));
    renameSync(photo(folder, 2991), join(folder, 'aaa.jpg'));
    await client.finished(request);
    const meta = await client.meta('jobs', job);
    expect(meta.size).toBe(3000);
    expect(meta.frames?.[2992]).toMatchObject({ name: 'photo-02992.jpg', width: 64 });
    expect((await frameOf(job, 2990)).problem).toContain('does not exist');
  });

  it('keeps all frames when the disk of the folder is removed, and reads them when it is back', async () => {
    const folder = await folderOf('unplugged', 6000);
    const { id, job, request } = await openFolder(folder);
    renameSync(folder, `${folder} away`);
    const ended = await client.ended(request);
    expect([ended.status, ended.message]).toEqual(['failed', expect.stringContaining('is not available')]);
    const away = await client.call('GET', `/api/limner/jobs/${job}/frames/5990`);
    expect([away.status, JSON.stringify(away.body)]).toEqual([
      400,
      expect.stringContaining(`${folder} is not available`),
    ]);
    expect((await listed(job)).deleted_frames).toEqual([]);
    renameSync(`${folder} away`, folder);
    expect((await frameOf(job, 5990)).width).toBe(64);
    const { rq_id: again } = await client.good<{ rq_id: string }>('POST', `/api/limner/tasks/${id}/data/retry`);
    await client.finished(again);
    const { frames, deleted_frames } = await client.meta('jobs', job);
    expect([frames?.length, new Set(frames?.map(({ width }) => width)), deleted_frames]).toEqual([
      6000,
      new Set([64]),
      [],
    ]);
  });

  it('ends the request of a task that is deleted while its images are read', async () => {
    const { id, request } = await openFolder(await folderOf('removed', 3000));
    await client.good('DELETE', `/api/tasks/${id}`);
    const ended = await client.call('GET', `/api/requests/${request}`);
    expect([200, 404]).toContain(ended.status);
    const { id: next } = await client.createTask({ labels: [{ name: 'thing' }] });
    await client.finished(await client.useServerFiles(next, [await folderOf('after', 3)]));
  });

  it('exports the same as a task whose images were read before', async () => {
    const folder = await folderOf('export', 3000);
    const early = await openFolder(folder);
    const during = await exported(early.id);
    const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
    await client.finished(await client.useServerFiles(id, [folder], { sorting_method: 'natural' }));
    expect(during).toHaveLength(3000);
    expect(during).toEqual(await exported(id));
  });

  it('reads everything first where the first files are no images, and refuses a folder without any', async () => {
    const folder = join(top, 'none');
    mkdirSync(folder);
    for (let index = 0; index < 6; index += 1) writeFileSync(photo(folder, index), 'text');
    await expect(openFolder(folder)).rejects.toThrow('None of the 6 files is an image');
    writeFileSync(join(folder, 'real.jpg'), (await makeImages(1))[0]?.bytes ?? '');
    const { id } = await openFolder(folder);
    expect((await client.task(id)).size).toBe(1);
  });
});
