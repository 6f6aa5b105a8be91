import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { craftZip, makeZip } from '../../support/craft-zip.ts';
import { signIn } from '../../support/client.ts';
import { makeImage, makeImages, type NamedImage } from '../../support/images.ts';
import { pngHeader } from '../../support/png-header.ts';
import { useServer } from '../../support/use-server.ts';

const labels = [{ name: 'thing' }];

const server = await useServer();
const client = await signIn(server);
const good = await makeImages(3);

describe('invalid media', () => {
  async function upload(files: readonly NamedImage[]) {
    const { id } = await client.createTask({ labels });
    const request = await client.ended(await client.uploadImages(id, files));
    return { id, request };
  }
  const names = async (id: number) => (await client.meta('tasks', id)).frames?.map((frame) => frame.name);
  const badFiles = async (requestId: string) => (await client.report(requestId)).invalid;

  it('lists a text file named .jpg, and creates the task from the images beside it', async () => {
    const { id, request } = await upload([...good, { name: 'notes.jpg', bytes: Buffer.from('Buy milk and bread.\n') }]);
    expect(request.status).toBe('finished');
    expect(await names(id)).toEqual(good.map((image) => image.name));
    expect(request.message).toContain('notes.jpg');
    expect(await badFiles(request.id)).toMatchObject([
      { file: 'notes.jpg', reason: expect.stringContaining('not an image') },
    ]);
  });

  it('refuses and names an image of 60,000 × 60,000 pixels from its header', async () => {
    const { id, request } = await upload([...good, { name: 'huge.png', bytes: pngHeader(60_000, 60_000) }]);
    expect(request.status).toBe('finished');
    expect(await names(id)).toEqual(good.map((image) => image.name));
    const [bad] = await badFiles(request.id);
    expect(bad).toMatchObject({ file: 'huge.png' });
    expect(bad?.reason).toMatch(/60,?000/);
    expect((await server.peakMemoryBytes()) ?? 0).toBeLessThan(1e9);
  });

  it('names and counts truncated images, and creates no task from them unless it is requested', async () => {
    const whole = await makeImage({ width: 640, height: 480, text: 'cut' });
    const cutImages = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
      name: `cut-${name}.jpg`,
      bytes: whole.subarray(0, whole.length / 3),
    }));
    const png = await makeImage({ width: 64, height: 48, format: 'png' });
    const oddButWhole = [
      // A camera's video after the image, and trailing bytes of some tools after a PNG.
      { name: 'film.jpg', bytes: Buffer.concat([whole, Buffer.alloc(200_000, 7)]) },
      { name: 'tail.png', bytes: Buffer.concat([png, Buffer.alloc(500, 7)]) },
    ];
    const { id } = await client.createTask({ labels });
    const files = [...good, ...cutImages, ...oddButWhole];
    const refused = await client.ended(await client.uploadImages(id, files));
    expect(refused.status).toBe('failed');
    expect(refused.message).toContain('6 images are truncated');
    expect(refused.message).toContain('cut-a.jpg, cut-b.jpg, cut-c.jpg, cut-d.jpg, cut-e.jpg and 1 more');
    expect(refused.message).toContain('accept_damaged');
    expect((await client.task(id)).size).toBeUndefined();

    const request = await client.ended(await client.uploadImages(id, files, { accept_damaged: true }));
    expect(request.status).toBe('finished');
    expect(request.message).toContain('cut-a.jpg is truncated');
    expect((await client.report(request.id)).warnings).toHaveLength(6);
    expect(await names(id)).toHaveLength(files.length);
    expect(await names(id)).toEqual(expect.arrayContaining(good.map((image) => image.name)));
    for (const [number] of (await names(id))?.entries() ?? []) {
      const frame = await client.call('GET', `/api/tasks/${id}/data/?type=frame&quality=compressed&number=${number}`);
      expect(frame.status).toBe(200);
    }
  });

  it("refuses a relative path without a shared folder, and does not resolve it against the service's folder", async () => {
    const { id } = await client.createTask({ labels });
    const json = { image_quality: 70, server_files: ['package.json'] };
    const { status, body } = await client.call('POST', `/api/tasks/${id}/data/`, { json });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('Set LIMNER_SHARE_DIR')]);
  });

  it('fails for only unusable files, says why, and the task accepts images afterwards', async () => {
    const { id, request } = await upload([{ name: 'notes.jpg', bytes: Buffer.from('Buy milk and bread.\n') }]);
    expect(request.status).toBe('failed');
    expect(request.message).toContain('notes.jpg');
    await client.finished(await client.uploadImages(id, good));
    expect(await names(id)).toEqual(good.map((image) => image.name));
  });

  it('refuses a truncated archive with its name, and keeps nothing of it', async () => {
    const archive = makeZip(Object.fromEntries(good.map(({ name, bytes }) => [name, bytes])));
    const cut = archive.subarray(0, Math.floor(archive.length * 0.6));
    const { id, request } = await upload([{ name: 'photos.zip', bytes: cut }]);
    expect(request.status).toBe('failed');
    expect(request.message).toContain('photos.zip');
    expect((await client.task(id)).size).toBeUndefined();
    await client.finished(await client.uploadImages(id, [{ name: 'photos.zip', bytes: archive }]));
    expect(await names(id)).toEqual(good.map((image) => image.name));
  });

  /** Upload folders may be deleted during the walk. */
  function entriesBelow(folder: string): string[] {
    for (;;) {
      try {
        return readdirSync(folder, { recursive: true, encoding: 'utf8' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  it.each([
    ['above its folder', '../../outside.jpg'],
    ['absolute', '/outside.jpg'],
    ['with backslashes', '..\\..\\outside.jpg'],
    ['on another drive', 'C:\\outside.jpg'],
  ])('writes nothing outside for a path in an archive that is %s', async (_what, name) => {
    const dataDir = server.dataDir;
    const before = readdirSync(dirname(dataDir)).filter((entry) => entry.includes('outside'));
    const { bytes } = good[0]!;
    const { id, request } = await upload([
      { name: 'photos.zip', bytes: makeZip({ 'inside.jpg': bytes, [name]: bytes }) },
    ]);
    const found = entriesBelow(dataDir).filter((path) => path.includes('outside'));
    const shownNames = request.status === 'finished' ? await names(id) : [];
    // A safe name inside the task's folder is fine. Nothing may be above it.
    expect(found.filter((path) => !path.startsWith(`data/${id}/`))).toEqual([]);
    expect(readdirSync(dirname(dataDir)).filter((entry) => entry.includes('outside'))).toEqual(before);
    expect(existsSync('/outside.jpg')).toBe(false);
    expect(shownNames?.some((shown) => shown.includes('..') || shown.startsWith('/'))).toBe(false);
    expect(`${request.message} ${JSON.stringify(await client.report(request.id).catch(() => ''))}`).toContain(
      'outside',
    );
  });

  it('refuses an archive that claims a wrong size instead of truncating it', async () => {
    const entries = good.map(({ name, bytes }, index) => ({
      name,
      content: bytes,
      deflate: true,
      ...(index === 1 ? { statedSize: 10 } : {}),
    }));
    const { id, request } = await upload([{ name: 'photos.zip', bytes: craftZip({ entries }) }]);
    const said = `${request.message} ${JSON.stringify(await client.report(request.id).catch(() => ''))}`;
    expect(said).toMatch(/image-001|photos\.zip/);
    if (request.status === 'finished') expect(await names(id)).not.toContain('image-001.jpg');
  });

  it('refuses an archive bomb before it is written', async () => {
    const zeros = Buffer.alloc(300_000_000);
    const { id, request } = await upload([
      { name: 'bomb.zip', bytes: makeZip({ 'zeros.bmp': zeros, 'more.bmp': zeros }) },
    ]);
    expect(request.status).toBe('failed');
    expect(request.message).toContain('bomb.zip');
    expect((await client.task(id)).size).toBeUndefined();
    expect(server.isRunning()).toBe(true);
  });

  it('reports missing files at once', async () => {
    const { id } = await client.createTask({ labels });
    const answer = await client.call('POST', `/api/tasks/${id}/data/`, { json: { image_quality: 70 } });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('No media data found');
  });
});
