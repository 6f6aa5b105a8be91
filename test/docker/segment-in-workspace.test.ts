import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { maskToBitmap } from '../../preload/geometry/mask-runs.ts';
import type { ModelFunction } from '../../preload/contract/schema/functions.ts';
import { waitFrame, waitSaved } from '../e2e/support/annotate-screen.ts';
import { clickPlaces, leaveCanvas, type Place } from '../e2e/support/pointer.ts';
import { openWorkbench } from '../e2e/support/workbench.ts';
import { removeContainersOf, until } from '../support/functions/docker-harness.ts';
import { modelEnvironment } from '../support/functions/python-models.ts';
import { segmentConfiguration, segmentFiles } from '../support/functions/segment-anything.ts';
import { colourDecoder } from '../support/onnx/region-grower.ts';
import { writeModel } from '../support/onnx/square-finder.ts';

/** The width equals the encoder's square, so that a cell of its features is 16 pixels of the image. */
const [width, height, cell] = [1024, 768, 16];
const [columns, rows] = [width / cell, height / cell];
const name = 'pth-facebookresearch-sam-vit-h';
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
  <rect width="100%" height="100%" fill="#dfe4ea"/>
  <circle cx="300" cy="330" r="170" fill="#c03020"/>
  <path d="M600 100H900V420H760V250H600Z" fill="#2050c0"/>
  <rect x="560" y="520" width="260" height="150" fill="#c03020"/>
</svg>`;

const environment = await modelEnvironment();
const workbench = await openWorkbench();
const { service } = workbench;
const picture = sharp(Buffer.from(drawing)).removeAlpha();
const pixels = await picture.clone().raw().toBuffer();
const images = [{ name: 'areas.png', bytes: await picture.png().toBuffer() }];
const task = await service.makeTask('areas', { images });
const [job = 0] = await service.jobsOf(task);

const directory = join(workbench.folder, 'sam');
mkdirSync(directory);
for (const [file, content] of Object.entries(segmentFiles())) writeFileSync(join(directory, file), content);
const base = { language: 'python', environment };
const { image } = await service.ask<{ image: string }>('POST', '/api/models/images/base', base);
const request = { configuration: segmentConfiguration(), directory, base_image: image, way: 'handler' };
await service.ask('POST', '/api/models/functions', request);
await until(async () => {
  const { state, message } = await service.ask<ModelFunction>('GET', `/api/models/functions/${name}`);
  if (state === 'error') throw new Error(message);
  return state === 'ready';
});
const path = writeModel(join(workbench.folder, 'decoder.onnx'), colourDecoder('whole'));
const { id } = await service.ask<{ id: string }>('POST', '/api/models/files/inspect', { path });
await service.ask('POST', `/api/models/functions/${name}/decoder`, { id });
afterAll(async () => {
  await workbench.close();
  await removeContainersOf((made) => made === name);
});

const mean = [123.675, 116.28, 103.53];
const spread = [58.395, 57.12, 57.375];

function expectedCells([x, y]: readonly [number, number]): boolean[] {
  const colourOf = (column: number, row: number) =>
    mean.map((middle, channel) => {
      let sum = 0;
      for (let dy = 0; dy < cell; dy += 1) {
        for (let dx = 0; dx < cell; dx += 1) {
          sum += pixels[((row * cell + dy) * width + column * cell + dx) * 3 + channel] ?? 0;
        }
      }
      return (sum / cell ** 2 - middle) / (spread[channel] ?? 1);
    });
  const clicked = colourOf(Math.floor(x / cell), Math.floor(y / cell));
  return Array.from({ length: columns * rows }, (_, index) => {
    const colour = colourOf(index % columns, Math.floor(index / columns));
    const distance = colour.reduce((sum, value, channel) => sum + Math.abs(value - (clicked[channel] ?? 0)), 0);
    return distance < 0.6;
  });
}

/** Cells of a saved mask; each must be completely inside or outside. */
function cellsOf(points: readonly number[]): boolean[] {
  const { left, top, width: across, height: down, bitmap } = maskToBitmap(points);
  const isSet = (x: number, y: number) =>
    x >= left && y >= top && x < left + across && y < top + down && bitmap[(y - top) * across + x - left] === 1;
  return Array.from({ length: columns * rows }, (_, index) => {
    const [x, y] = [(index % columns) * cell, Math.floor(index / columns) * cell];
    const inside = isSet(x, y);
    for (let dy = 0; dy < cell; dy += 1) {
      for (let dx = 0; dx < cell; dx += 1) expect(isSet(x + dx, y + dy)).toBe(inside);
    }
    return inside;
  });
}

/** Position of an image pixel as a fraction of the canvas, which shows the complete image. */
async function placeOf(x: number, y: number): Promise<Place> {
  const box = await workbench.page.getByTestId('canvas').boundingBox();
  const zoom = Number((await workbench.page.getByTitle('Zoom', { exact: true }).textContent())?.replace('%', '')) / 100;
  if (box === null) throw new Error('The canvas is not on the page.');
  return [0.5 + ((x - width / 2) * zoom) / box.width, 0.5 + ((y - height / 2) * zoom) / box.height];
}

async function coloursOfCells(): Promise<string[]> {
  await leaveCanvas(workbench.page);
  const picture = sharp(await workbench.page.getByTestId('canvas').screenshot()).removeAlpha();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const [[left, top], [right, bottom]] = [await placeOf(0, 0), await placeOf(width, height)];
  return Array.from({ length: columns * rows }, (_, index) => {
    const share = [((index % columns) + 0.5) / columns, (Math.floor(index / columns) + 0.5) / rows] as const;
    const x = Math.floor((left + (right - left) * share[0]) * info.width);
    const y = Math.floor((top + (bottom - top) * share[1]) * info.height);
    const at = (y * info.width + x) * 3;
    return data.subarray(at, at + 3).toString('hex');
  });
}

/** True if all neighbours have the same state. Between others is the outline of the mask; above it is its label. */
const isPlain = (cells: readonly boolean[], index: number): boolean =>
  ![1, 2].includes(Math.floor(cells.indexOf(true) / columns) - Math.floor(index / columns)) &&
  [-columns - 1, -columns, 1 - columns, -1, 1, columns - 1, columns, columns + 1].every(
    (step) => (cells[index + step] ?? cells[index]) === cells[index],
  );

it("a click becomes a mask through CVAT's function of Segment Anything, and the next one needs no call", async () => {
  const { page } = workbench;
  await page.goto(`/tasks/${task}/jobs/${job}`);
  await waitFrame(page, 0, 1);
  await page.getByTestId('models-open').click();
  await page.getByRole('complementary').getByRole('combobox', { name: 'Model', exact: true }).click();
  await page.getByRole('option', { name: 'Segment Anything' }).click();
  await page.getByRole('radiogroup', { name: 'Result shape' }).getByText('Mask').click();
  const shapes = async () => {
    const answer = await page.request.get(`/api/jobs/${job}/annotations/`);
    return ((await answer.json()) as { shapes: { type: string; points: number[] }[] }).shapes;
  };
  // Red inside the circle, with the rectangle of the same colour; then blue.
  const clicks = [
    [300, 330],
    [700, 180],
  ] as const;
  for (const [count, click] of clicks.entries()) {
    const cells = expectedCells(click);
    await page.getByTestId('interact').click();
    await page.getByRole('button', { name: 'Stop segmenting' }).waitFor();
    const before = await coloursOfCells();
    const answered = page.waitForResponse(`**/api/lambda/functions/${name}**`);
    await clickPlaces(page, [await placeOf(click[0], click[1])]);
    expect((await answered).status()).toBe(200);
    const differing = async () => {
      const after = await coloursOfCells();
      const changed = after.map((colour, index) => colour !== before[index]);
      return changed.flatMap((isOther, index) =>
        isPlain(cells, index) && isOther !== cells[index] ? [[index % columns, Math.floor(index / columns)]] : [],
      );
    };
    await expect.poll(differing).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await shapes()).length).toBe(count + 1);
    await waitSaved(page);
    const kept = (await shapes()).at(-1);
    expect(kept?.type).toBe('mask');
    expect(cellsOf(kept?.points ?? [])).toEqual(cells);
    await page.getByRole('button', { name: 'Stop segmenting' }).click();
  }
  const log = await (await page.request.get(`/api/models/functions/${name}/logs`)).text();
  expect(log.match(/call handler/g)).toHaveLength(1);
  expect(workbench.pageErrors).toEqual([]);
});
