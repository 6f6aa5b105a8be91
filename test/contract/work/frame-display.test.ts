import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();
const tiff = (name: string) => ({
  name: `${name}.tif`,
  bytes: readFileSync(join(import.meta.dirname, `../../fixtures/tiff/${name}.tif`)),
});
const task = await work.owner.taskWithImages({ labels: [{ name: 'field' }] }, [
  tiff('rgb-infrared'),
  tiff('signed-16'),
  { name: 'photo.png', bytes: await picture('photo', 30, 20) },
]);
const [job] = await work.jobsOf(task.id);
const { frames } = await work.owner.meta('tasks', task.id);
const frameOf = (name: string) => frames?.findIndex((frame) => frame.name === name) ?? -1;

const facts = (name: string) =>
  work.owner.good<Record<string, unknown>>('GET', `/api/limner/jobs/${job?.id}/frames/${frameOf(name)}/display`);

const pathOf = (name: string, display: string) =>
  `/api/jobs/${job?.id}/data?type=frame&quality=compressed&number=${frameOf(name)}${display}`;

async function lowerLeft(name: string, display = ''): Promise<number[]> {
  const image = sharp(await work.owner.bytes(pathOf(name, display)));
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const start = (info.height - 2) * info.width * info.channels;
  return [...data.subarray(start, start + 3)];
}

const near = (wanted: readonly number[]) => wanted.map((value) => expect.closeTo(value, -1));

test('reports the number of bands of an image, and if its values can be chosen', async () => {
  expect(await facts('rgb-infrared.tif')).toEqual({
    bands: 4,
    bits: 8,
    kind: 'unsigned',
    shown: [0, 1, 2],
    has_window: false,
  });
  expect(await facts('signed-16.tif')).toMatchObject({ bands: 1, bits: 16, kind: 'signed', has_window: true });
  expect(await facts('photo.png')).toMatchObject({ bands: 1, has_window: false });
});

test('shows a frame in the requested bands, and keeps its default rendering for other requests', async () => {
  expect(await lowerLeft('rgb-infrared.tif')).toEqual(near([30, 30, 220]));
  expect(await lowerLeft('rgb-infrared.tif', '&bands=3,0,1')).toEqual(near([250, 30, 30]));
  expect(await lowerLeft('rgb-infrared.tif', '&bands=3')).toEqual(near([250, 250, 250]));
  expect(await lowerLeft('rgb-infrared.tif')).toEqual(near([30, 30, 220]));
});

test('shows a frame in the requested range of values', async () => {
  expect(await lowerLeft('signed-16.tif')).toEqual(near([0, 0, 0]));
  const middle = sharp(await work.owner.bytes(pathOf('signed-16.tif', '&window=0,50')));
  const { data, info } = await middle.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  expect(data[Math.round(info.width * 0.75)]).toBeGreaterThan(250);
});

test('refuses an invalid display with the valid choices', async () => {
  const refusal = async (name: string, display: string) => {
    const answer = await work.owner.call('GET', pathOf(name, display));
    return [answer.status, JSON.stringify(answer.body)];
  };
  const cases: [string, string, string][] = [
    ['rgb-infrared.tif', '&bands=4', 'no band 4. Choose bands from 0 to 3.'],
    ['rgb-infrared.tif', '&bands=1,2', 'for example 2 or 3,0,1.'],
    ['rgb-infrared.tif', '&window=1,99', 'Omit the window.'],
    ['signed-16.tif', '&window=99,1', 'for example 1,99.'],
    ['signed-16.tif', '&window=-1,5', 'for example 1,99.'],
  ];
  for (const [name, display, words] of cases) {
    expect(await refusal(name, display)).toEqual([400, expect.stringContaining(words)]);
  }
});

test('refuses and names an image that no decoder can read when the task is created', async () => {
  const refused = work.owner.taskWithImages({ labels: [{ name: 'x' }] }, [tiff('compression-lzma')]);
  await expect(refused).rejects.toThrow('has the compression LZMA');
});
