import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { picture, startWork } from './work-harness.ts';

const work = await startWork();
afterAll(() => work.stop());

const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#c03020' } })
  .jpeg()
  .toBuffer();
const images = [
  { name: '0.png', bytes: await picture('0') },
  { name: '1.jpg', bytes: wide },
  { name: '2.png', bytes: await picture('2') },
];
const task = await work.owner.taskWithImages({ labels: [], segment_size: 2 }, images);
const [first, second] = await work.jobsOf(task.id);
const path = (job: number | undefined, frame: string) => `/api/limner/jobs/${job}/frames/${frame}/thumbnail`;

test('a frame has a small picture, a JPEG that keeps its sides in proportion', async () => {
  const bytes = await work.owner.bytes(path(first?.id, '1'));
  const { format, width, height } = await sharp(bytes).metadata();
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 256, height: 85 });
});

test('frames of other jobs, and what is no number, are refused', async () => {
  expect((await work.owner.call('GET', path(second?.id, '1'))).status).toBe(404);
  expect((await work.owner.call('GET', path(second?.id, '2'))).status).toBe(200);
  for (const frame of ['x', '-1']) expect((await work.owner.call('GET', path(first?.id, frame))).status).toBe(404);
});
