import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImage, makeImages } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

describe('images that are used where they lie', () => {
  let server: RunningServer;
  let client: TestClient;
  let top: string;
  beforeAll(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'limner-in-place-')));
    server = await startServer();
    client = await signIn(server);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(top, { recursive: true, force: true });
  });

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

  it('pipes, sockets and devices are never opened, and named', async () => {
    const folder = await folderOf('pipes');
    makePipe(join(folder, 'pipe.jpg'));
    const socket = createServer().listen(join(folder, 'socket.jpg'));
    try {
      const { request } = await taskOf([folder, join(folder, 'pipe.jpg'), '/dev/zero']);
      expect(request.status).toBe('finished');
      const { bad } = await client.report(request.id);
      const reasons = bad.map(({ reason }) => reason).join(' ');
      for (const name of ['pipe.jpg', 'socket.jpg', '/dev/zero'])
        expect(reasons).toContain(`${name} is no file but a pipe, a socket or a device`);
    } finally {
      socket.close();
    }
  });

  it('a pipe that took the name of an image is not waited for, whoever asks', async () => {
    const folder = await folderOf('later-pipe');
    const { id, request } = await taskOf([folder]);
    expect(request.status).toBe('finished');
    const file = join(folder, 'image-001.jpg');
    rmSync(file);
    makePipe(file);
    for (const quality of ['original', 'compressed']) {
      const answer = await frame(id, 1, quality);
      expect(answer.status).toBe(404);
      expect(JSON.stringify(answer.body)).toContain('is no file any more');
    }
    expect((await client.call('GET', `/api/tasks/${id}/data/?type=chunk&quality=original&number=0`)).status).toBe(404);
    const { rq_id: backup } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/backup/export`);
    expect((await client.ended(backup)).message).toContain('image-001.jpg cannot be read any more');
    expect((await frame(id, 0, 'original')).status).toBe(200);
  });

  it('a link that took the name of an image is followed inside its folder only', async () => {
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
      expect(JSON.stringify(answer.body)).toContain('is a link now that leads outside of its folder');
      expect((await frame(id, 2, quality)).status).toBe(200);
    }
  });
});
