import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { crc32 } from 'node:zlib';
import { makeImages } from '../../support/images.ts';
import { useWorkbench } from './support.ts';

const workbench = await useWorkbench();
const images = await makeImages(7, { format: 'png' });
const task = await workbench.owner.taskWithImages({ name: 'media', segment_size: 4 }, images, { chunk_size: 3 });

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(workbench.url + path, {
    headers: { Authorization: workbench.authorization, ...headers },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
const data = (query: string) => `/api/tasks/${task.id}/data/?${query}`;
const entryCount = (zip: Buffer) => zip.toString('latin1').split('PK\u0001\u0002').length - 1;

describe('frames', () => {
  test('are the original bytes, or a JPEG of the same size', async () => {
    for (const path of [
      data('type=frame&quality=original&number=2'),
      `/api/tasks/${task.id}/data?type=frame&quality=original&number=2`,
    ]) {
      const original = await get(path);
      expect(original.status).toBe(200);
      expect(original.headers.get('Content-Type')).toBe('image/png');
      expect(original.bytes.equals(images[2]?.bytes ?? Buffer.of())).toBe(true);
      expect(original.headers.get('X-Checksum')).toBe(crc32(original.bytes).toString(16).padStart(8, '0'));
      expect(original.headers.get('X-Updated-Date')).toMatch(/^\d{4}-.*Z$/);
    }
    const compressed = await get(data('type=frame&number=2'));
    expect(compressed.headers.get('Content-Type')).toBe('image/jpeg');
    expect(await sharp(compressed.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 240 });
  });

  test('of several megabytes have the checksum of all their bytes', async () => {
    const raw = Buffer.from(Uint8Array.from({ length: 2000 * 1500 * 3 }, (_, index) => (index * index) >> 7));
    const bytes = await sharp(raw, { raw: { width: 2000, height: 1500, channels: 3 } })
      .png()
      .toBuffer();
    const large = await workbench.owner.taskWithImages({ name: 'large' }, [{ name: 'a.png', bytes }]);
    const answer = await get(`/api/tasks/${large.id}/data/?type=frame&number=0`);
    expect(answer.bytes.length).toBeGreaterThan(1024 * 1024);
    expect(answer.headers.get('X-Checksum')).toBe(crc32(answer.bytes).toString(16).padStart(8, '0'));
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ width: 2000, height: 1500 });
  });

  test('are revalidated without being sent again', async () => {
    for (const quality of ['original', 'compressed']) {
      const path = data(`type=frame&number=1&quality=${quality}`);
      const etag = (await get(path)).headers.get('ETag') ?? '';
      const again = await get(path, { 'If-None-Match': etag });
      expect(again.status).toBe(304);
      expect(again.bytes).toHaveLength(0);
      expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200);
    }
  });

  test('can be read in ranges', async () => {
    const path = data('type=frame&quality=original&number=0');
    const whole = images[0]?.bytes ?? Buffer.of();
    const part = await get(path, { Range: 'bytes=5-9' });
    expect(part.status).toBe(206);
    expect(part.headers.get('Content-Range')).toBe(`bytes 5-9/${whole.length}`);
    expect(part.bytes.equals(whole.subarray(5, 10))).toBe(true);
    const outside = await get(path, { Range: `bytes=${whole.length}-` });
    expect(outside.status).toBe(416);
    expect(outside.headers.get('Content-Range')).toBe(`bytes */${whole.length}`);
  });

  test('refuse invalid requests', async () => {
    for (const query of [
      '',
      'type=frame',
      'type=picture&number=0',
      'type=frame&number=x',
      'type=frame&number=0&quality=best',
    ]) {
      expect((await get(data(query))).status, query).toBe(400);
    }
    expect((await get(data('type=frame&number=7'))).status).toBe(404);
    expect((await get(data('type=chunk&number=3'))).status).toBe(404);
    expect((await get(data('type=context_image&number=0'))).status).toBe(404);
    const { id } = await workbench.owner.createTask({ name: 'empty' });
    expect((await get(`/api/tasks/${id}/data/?type=frame&number=0`)).status).toBe(400);
    expect((await get('/api/tasks/999999/data/?type=frame&number=0')).status).toBe(404);
  });

  test('of a job are those of its segment', async () => {
    const [, second] = (await workbench.owner.jobs(task.id)).sort((a, b) => a.id - b.id);
    const job = `/api/jobs/${second?.id}/data`;
    expect(
      (await get(`${job}?type=frame&number=4&quality=original`)).bytes.equals(images[4]?.bytes ?? Buffer.of()),
    ).toBe(true);
    expect((await get(`${job}?type=frame&number=3`)).status).toBe(404);
  });
});

describe('chunks', () => {
  test('are archives of a run of frames', async () => {
    const counts = await Promise.all(
      [0, 1, 2].map(async (number) => entryCount((await get(data(`type=chunk&number=${number}`))).bytes)),
    );
    expect(counts).toEqual([3, 3, 1]);
    const chunk = await get(data('type=chunk&number=0&quality=original'));
    expect(chunk.headers.get('Content-Type')).toBe('application/zip');
    expect(chunk.headers.get('X-Checksum')).toBe(crc32(chunk.bytes).toString(16).padStart(8, '0'));
    expect(chunk.bytes.toString('latin1')).toContain('000002.png');
    expect((await get(data('type=chunk&number=0'))).bytes.toString('latin1')).toContain('000002.jpeg');
    const etag = chunk.headers.get('ETag') ?? '';
    expect((await get(data('type=chunk&number=0&quality=original'), { 'If-None-Match': etag })).status).toBe(304);
  });

  test('of a job, counted over the task or over the job', async () => {
    const [first, second] = (await workbench.owner.jobs(task.id)).sort((a, b) => a.id - b.id);
    const count = async (id: number | undefined, query: string) => {
      const answer = await get(`/api/jobs/${id}/data?type=chunk&${query}`);
      return answer.status === 200 ? entryCount(answer.bytes) : answer.status;
    };
    // Frames 0–3 and 4–6; chunks of three: 0–2, 3–5, 6.
    expect(await count(first?.id, 'number=1')).toBe(1);
    expect(await count(second?.id, 'number=1')).toBe(2);
    expect(await count(second?.id, 'number=2')).toBe(1);
    expect(await count(second?.id, 'index=0')).toBe(3);
    expect(await count(second?.id, 'index=1')).toBe(404);
    expect(await count(second?.id, 'number=0')).toBe(404);
    expect(await count(second?.id, 'number=1&index=0')).toBe(400);
  });
});

describe('previews', () => {
  test('are small images', async () => {
    const [job] = await workbench.owner.jobs(task.id);
    for (const path of [`/api/tasks/${task.id}/preview`, `/api/jobs/${job?.id}/preview`]) {
      const answer = await get(path);
      expect(answer.status, path).toBe(200);
      expect((await sharp(answer.bytes).metadata()).width).toBeLessThanOrEqual(256);
    }
  });

  test('of a project are those of its first task with images', async () => {
    const project = await workbench.owner.createProject('pictures', [{ name: 'car' }]);
    const path = `/api/projects/${project.id}/preview`;
    expect((await get(path)).status).toBe(404);
    expect((await get(path, { Prefer: 'handling=empty' })).status).toBe(204);
    await workbench.owner.createTask({ name: 'no images', project_id: project.id });
    expect((await get(path)).status).toBe(404);
    await workbench.owner.taskWithImages({ name: 'images', project_id: project.id }, images.slice(0, 1));
    expect((await get(path)).status).toBe(200);
  });

  test('are for users who may see the object', async () => {
    const stranger = await workbench.addUser('stranger');
    expect((await stranger.call('GET', `/api/tasks/${task.id}/preview`)).status).toBe(403);
    expect((await stranger.call('GET', data('type=frame&number=0'))).status).toBe(403);
  });
});
