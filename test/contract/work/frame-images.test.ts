import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { ImageTiles } from '../../../preload/contract/schema/resources.ts';
import { makeZip } from '../../support/craft-zip.ts';
import { picture, useWork, zipNames } from './work-harness.ts';

/** Images that accompany a frame: its tiles, its preview and related images. */
const work = await useWork();
const stranger = await work.workbench.addUser('stranger');
const archive = makeZip({
  'street/one.png': await picture('one', 900, 300),
  'street/two.png': await picture('two', 3000, 700),
  'street/related_images/one_png/10-back.png': await picture('back', 20, 10),
  'street/related_images/one_png/9-front.png': await picture('front', 10, 20),
});
const task = await work.owner.taskWithImages({ labels: [{ name: 'car' }], segment_size: 1 }, [
  { name: 'images.zip', bytes: archive },
]);
const [first, job] = await work.jobsOf(task.id);
const frame = (number: number | string) => `/api/limner/jobs/${job?.id}/frames/${number}`;

const sizeOf = async (path: string) => {
  const { width, height, format } = await sharp(await work.owner.bytes(path)).metadata();
  return [width, height, format];
};

test('serves a preview of a frame, a JPEG that keeps the aspect ratio', async () => {
  expect(await sizeOf(`/api/limner/jobs/${first?.id}/frames/0/thumbnail`)).toEqual([256, 85, 'jpeg']);
});

test('serves tiles of a frame, created on request, and a coarse image of the complete frame', async () => {
  const tiles = await work.owner.good<ImageTiles>('GET', `${frame(1)}/tiles`);
  expect(tiles).toEqual({ width: 3000, height: 700, orientation: 1, tile_side: 512, levels: 4 });
  const tile = await work.owner.call('GET', `${frame(1)}/tiles/0/5/1`);
  expect(tile.status).toBe(200);
  expect(tile.headers.get('Content-Type')).toBe('image/jpeg');
  expect(tile.headers.get('ETag')).not.toBeNull();
  expect(await sizeOf(`${frame(1)}/tiles/0/5/1`)).toEqual([3000 - 5 * 512, 700 - 512, 'jpeg']);
  expect(await sizeOf(`${frame(1)}/tiles/3/0/0`)).toEqual([375, 88, 'jpeg']);
  expect(await sizeOf(`${frame(1)}/overview`)).toEqual([2048, 478, 'jpeg']);
});

test('answers 404 to unknown tiles, invalid numbers and frames of other jobs', async () => {
  for (const path of [
    `${frame(1)}/tiles/0/6/0`,
    `${frame(1)}/tiles/4/0/0`,
    `${frame(1)}/tiles/x/0/0`,
    ...[0, 2, 'x', '-1'].flatMap((number) => ['tiles', 'overview', 'thumbnail'].map((of) => `${frame(number)}/${of}`)),
  ]) {
    expect([path, (await work.owner.call('GET', path)).status]).toEqual([path, 404]);
  }
});

test('refuses all images of a frame to users who may not see it', async () => {
  for (const path of ['tiles', 'tiles/0/0/0', 'overview', 'thumbnail']) {
    expect((await stranger.call('GET', `${frame(1)}/${path}`)).status).toBe(403);
  }
  const whole = `/api/jobs/${job?.id}/data?type=frame&number=1&quality=original`;
  expect((await stranger.call('GET', whole)).status).toBe(403);
});

test('does not list related images as frames, and counts them for each frame', async () => {
  const { size, frames } = await work.owner.meta('tasks', task.id);
  expect(size).toBe(2);
  expect(
    frames?.map(({ name, related_files, has_related_context }) => [name, related_files, has_related_context]),
  ).toEqual([
    ['street/one.png', 2, true],
    ['street/two.png', 0, false],
  ]);
});

test('serves related images as an archive, of a task and of a job', async () => {
  for (const path of [`/api/tasks/${task.id}/data`, `/api/jobs/${first?.id}/data`]) {
    const answer = await work.owner.call('GET', path, { query: { type: 'context_image', number: 0 } });
    expect(answer.headers.get('Content-Type')).toBe('application/zip');
    expect(answer.headers.get('X-Checksum')).toMatch(/^[0-9a-f]{8}$/);
    const names = await zipNames(await work.owner.bytes(`${path}?type=context_image&number=0`));
    expect(names).toEqual(['9-front.png', '10-back.png']);
  }
});

test('says that there are no related images, or no such frame', async () => {
  const path = `/api/tasks/${task.id}/data`;
  for (const [number, status] of [
    [1, 404],
    [2, 404],
    ['x', 400],
  ] as const) {
    expect((await work.owner.call('GET', path, { query: { type: 'context_image', number } })).status).toBe(status);
  }
});
