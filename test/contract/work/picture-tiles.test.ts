import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import type { PictureTiles } from '../../../preload/contract/schema/resources.ts';
import { picture, startWork } from './work-harness.ts';

const work = await startWork();
const stranger = await work.workbench.addUser('stranger');
afterAll(() => work.stop());

const task = await work.owner.taskWithImages({ labels: [{ name: 'car' }] }, [
  { name: 'a.png', bytes: await picture('a') },
  { name: 'wide.png', bytes: await picture('wide', 3000, 700) },
]);
const [job] = await work.jobsOf(task.id);
const frame = (number: number | string) => `/api/limner/jobs/${job?.id}/frames/${number}`;

test('a frame has tiles, made when they are asked for, and a coarse picture of all of it', async () => {
  const tiles = await work.owner.good<PictureTiles>('GET', `${frame(1)}/tiles`);
  expect(tiles).toEqual({ width: 3000, height: 700, orientation: 1, tile_side: 512, levels: 4 });
  const tile = await work.owner.call('GET', `${frame(1)}/tiles/0/5/1`);
  expect(tile.status).toBe(200);
  expect(tile.headers.get('Content-Type')).toBe('image/jpeg');
  expect(tile.headers.get('ETag')).not.toBeNull();
  const sizeOf = async (path: string) => {
    const { width, height } = await sharp(await work.owner.bytes(path)).metadata();
    return [width, height];
  };
  expect(await sizeOf(`${frame(1)}/tiles/0/5/1`)).toEqual([3000 - 5 * 512, 700 - 512]);
  expect(await sizeOf(`${frame(1)}/tiles/3/0/0`)).toEqual([375, 88]);
  expect(await sizeOf(`${frame(1)}/overview`)).toEqual([2048, 478]);
});

test('tiles and frames that are not there are not found', async () => {
  for (const path of [
    `${frame(1)}/tiles/0/6/0`,
    `${frame(1)}/tiles/4/0/0`,
    `${frame(1)}/tiles/x/0/0`,
    `${frame(2)}/tiles`,
    `${frame(2)}/overview`,
    `${frame('a')}/tiles`,
  ]) {
    expect([path, (await work.owner.call('GET', path)).status]).toEqual([path, 404]);
  }
});

test('who may not see the frame gets none of it', async () => {
  const { status } = await stranger.call('GET', `/api/jobs/${job?.id}/data?type=frame&number=1&quality=original`);
  for (const path of ['tiles', 'tiles/0/0/0', 'overview']) {
    expect((await stranger.call('GET', `${frame(1)}/${path}`)).status).toBe(status);
  }
  expect(status).toBe(403);
});
