import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DataMeta } from '../../../preload/contract/schema/resources.ts';
import { makeImage, makeImages } from '../../support/images.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { startWorkbench } from '../http/support.ts';

const { owner: client, stop } = await startWorkbench();
afterAll(stop);
const top = sharedFolder();

describe('images used in place', () => {
  async function folderOf(name: string): Promise<string> {
    const folder = join(top, name);
    mkdirSync(folder);
    for (const image of await makeImages(3)) writeFileSync(join(folder, image.name), image.bytes);
    return folder;
  }
  async function taskOf(paths: readonly string[]) {
    const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
    return { id, request: await client.ended(await client.useServerFiles(id, paths)) };
  }
  const makePipe = (path: string) => execFileSync('mkfifo', [path]);
  const frame = (id: number, number: number, quality: string) =>
    client.call('GET', `/api/tasks/${id}/data/?type=frame&quality=${quality}&number=${number}`);

  it('never opens pipes, sockets and devices, and names them', async () => {
    const folder = await folderOf('pipes');
    makePipe(join(folder, 'pipe.jpg'));
    const socket = createServer().listen(join(folder, 'socket.jpg'));
    try {
      const { request } = await taskOf([folder, join(folder, 'pipe.jpg'), '/dev/zero']);
      expect(request.status).toBe('finished');
      const { invalid: bad } = await client.report(request.id);
      const reasons = bad.map(({ reason }) => reason).join(' ');
      for (const name of ['pipe.jpg', 'socket.jpg', '/dev/zero'])
        expect(reasons).toContain(`${name} is not a file but a pipe, a socket or a device`);
    } finally {
      socket.close();
    }
  });

  it('never waits for a pipe that replaced an image', async () => {
    const folder = await folderOf('later-pipe');
    const { id, request } = await taskOf([folder]);
    expect(request.status).toBe('finished');
    const file = join(folder, 'image-001.jpg');
    rmSync(file);
    makePipe(file);
    for (const quality of ['original', 'compressed']) {
      const answer = await frame(id, 1, quality);
      expect(answer.status).toBe(404);
      expect(JSON.stringify(answer.body)).toContain('is no longer a file');
    }
    expect((await client.call('GET', `/api/tasks/${id}/data/?type=chunk&quality=original&number=0`)).status).toBe(404);
    const { rq_id: backup } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/backup/export`);
    expect((await client.ended(backup)).message).toContain('image-001.jpg can no longer be read');
    expect((await frame(id, 0, 'original')).status).toBe(200);
  });

  it('follows a link that replaced an image only inside its folder', async () => {
    const folder = await folderOf('later-link');
    const outside = join(top, 'outside.jpg');
    writeFileSync(outside, await makeImage({ text: 'secret' }));
    const { id } = await taskOf([folder]);
    rmSync(join(folder, 'image-001.jpg'));
    symlinkSync(outside, join(folder, 'image-001.jpg'));
    mkdirSync(join(folder, 'moved'));
    renameSync(join(folder, 'image-002.jpg'), join(folder, 'moved', 'image.jpg'));
    symlinkSync(join('moved', 'image.jpg'), join(folder, 'image-002.jpg'));
    for (const quality of ['original', 'compressed']) {
      const answer = await frame(id, 1, quality);
      expect(answer.status).toBe(404);
      expect(JSON.stringify(answer.body)).toContain('is now a link that leads outside its folder');
      expect((await frame(id, 2, quality)).status).toBe(200);
    }
  });

  it('finds changed images in the background, and forgets the state of a restored one', async () => {
    const folder = await folderOf('background');
    const { id } = await taskOf([folder]);
    const file = join(folder, 'image-001.jpg');
    const bytes = readFileSync(file);
    rmSync(file);
    const states = async () => (await client.meta('tasks', id)).frames?.map((one) => one.limner_state);
    await expect.poll(states).toEqual([undefined, 'missing', undefined]);
    writeFileSync(file, bytes);
    const [job] = await client.jobs(id);
    expect(await client.good('GET', `/api/limner/jobs/${job!.id}/frames/1`)).not.toHaveProperty('limner_state');
    expect(await states()).toEqual([undefined, undefined, undefined]);
  });

  it('marks images that were replaced or deleted, and exports continue and report it', async () => {
    const folder = await folderOf('changed');
    for (const name of ['touched.jpg', 'other-size.jpg'])
      writeFileSync(join(folder, name), await makeImage({ text: name }));
    const { id } = await taskOf([folder]);
    const states = async (target: 'tasks' | 'jobs', of: number) =>
      Object.fromEntries((await client.meta(target, of)).frames?.map((one) => [one.name, one.limner_state]) ?? []);
    const changed = async () => {
      type Changed = { results: { name: string; limner_state: string }[] };
      const { results } = await client.good<Changed>('GET', `/api/limner/tasks/${id}/frames/changed`);
      return Object.fromEntries(results.map((one) => [one.name, one.limner_state]));
    };
    const [job] = await client.jobs(id);
    const numberOf = async (name: string) =>
      (await client.meta('jobs', job!.id)).frames?.findIndex((one) => one.name === name) ?? -1;
    const shown = async (name: string) =>
      client.good('GET', `/api/limner/jobs/${job!.id}/frames/${await numberOf(name)}`);
    expect(new Set(Object.values(await states('tasks', id)))).toEqual(new Set([undefined]));
    expect(await changed()).toEqual({});
    expect(await shown('image-000.jpg')).toEqual({
      frame: await numberOf('image-000.jpg'),
      name: 'image-000.jpg',
      width: 320,
      height: 240,
      deleted: false,
    });

    rmSync(join(folder, 'image-000.jpg'));
    const other = readFileSync(join(folder, 'image-001.jpg'));
    // The same size, different bytes.
    other[other.length - 100] = (other[other.length - 100] ?? 0) ^ 1;
    writeFileSync(join(folder, 'image-001.jpg'), other);
    writeFileSync(join(folder, 'other-size.jpg'), await makeImage({ text: 'a very different picture', width: 200 }));
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder, 'image-001.jpg'), later, later);
    utimesSync(join(folder, 'touched.jpg'), later, later);

    const expected = {
      'image-000.jpg': 'missing',
      'image-001.jpg': 'replaced',
      'image-002.jpg': undefined,
      'other-size.jpg': 'replaced',
      'touched.jpg': undefined,
    };
    // A frame is checked when it is read, the others in the background or when all of them are asked for.
    expect(await shown('image-001.jpg')).toMatchObject({ limner_state: 'replaced' });
    expect(await shown('image-000.jpg')).toMatchObject({ limner_state: 'missing' });
    expect(await shown('touched.jpg')).not.toHaveProperty('limner_state');
    expect(await states('jobs', job!.id)).toEqual({ ...expected, 'other-size.jpg': undefined });
    expect(await changed()).toEqual(
      Object.fromEntries(Object.entries(expected).filter(([, state]) => state !== undefined)),
    );
    expect(await states('tasks', id)).toEqual(expected);
    expect(await states('jobs', job!.id)).toEqual(expected);
    const patched = await client.good<DataMeta>('PATCH', `/api/tasks/${id}/data/meta`, {
      json: { deleted_frames: [] },
    });
    expect(patched.frames?.map((one) => one.limner_state)).toEqual(Object.values(expected));

    for (const format of ['COCO 1.0', 'CVAT for images 1.1', 'YOLO 1.1']) {
      const request = await client.finished(await client.startExport('tasks', id, format, true));
      const { warnings } = await client.report(request.id);
      expect(warnings).toContain('1 images could not be read and are not in the archive: image-000.jpg.');
      expect(warnings.join(' ')).toContain(
        '2 images are not the ones that were annotated, because their files were replaced: image-001.jpg, other-size.jpg.',
      );
    }
  });
});
