import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { writeLargePicture } from '../support/large-image.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { downloadBy } from './support/files.ts';
import { canvasBox, leaveCanvas } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const huge = { width: 20_000, height: 15_000 };
/** Displayed size; the file is rotated by 90 degrees. */
const turned = { width: 7000, height: 8000 };
const markPx = 300;
const pictures = [
  { name: '0-huge.jpg', size: huge, made: { ...huge, markPx } },
  { name: '1-turned.jpg', size: turned, made: { width: 8000, height: 7000, orientation: 6 } },
  { name: '2-mirrored.jpg', size: turned, made: { width: 8000, height: 7000, orientation: 7 } },
  { name: '3-large.jpg', size: { width: 8000, height: 6000 }, made: { width: 8000, height: 6000 } },
] as const;

const { page, service, folder } = await useWorkbench();
const fileOf = (name: string): string => join(folder, name);
for (const { name, made } of pictures) await writeLargePicture(fileOf(name), made);
const { id: task } = await service.createTask({ name: 'large', labels: [{ name: 'mark' }] });
await service.finished(
  await service.useServerFiles(
    task,
    pictures.map(({ name }) => fileOf(name)),
  ),
);
const job = (await service.jobs(task))[0]?.id ?? 0;

async function openFrame(number: number): Promise<void> {
  await page.goto(`/tasks/${task}/jobs/${job}?frame=${number}`);
  await waitFrame(page, number, pictures.length);
}

/** Opens a frame whose tiles exist. Creating those of 300 megapixels takes a while. */
async function openPrepared(number: number): Promise<void> {
  const made = page.waitForResponse((answer) => answer.url().endsWith(`/frames/${number}/tiles`), { timeout: 120_000 });
  await openFrame(number);
  await made;
  await page.getByText('Large image').waitFor({ state: 'detached' });
}

interface Lying {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** The complete image in the centre, 16 pixels from the edges, like after `F` or opening. */
async function fitted({ width, height }: Size): Promise<Lying> {
  const box = await canvasBox(page);
  const scale = Math.min((box.width - 32) / width, (box.height - 32) / height);
  return { scale, left: box.x + (box.width - width * scale) / 2, top: box.y + (box.height - height * scale) / 2 };
}

/** Zooms so that a position of the image moves to the centre, as far as it is on the canvas. */
async function zoomTo(lying: Lying, at: readonly [x: number, y: number], notches: number): Promise<Lying> {
  const factor = 1.2 ** notches;
  const box = await canvasBox(page);
  const pointAt = (seen: number, start: number, length: number): number => {
    const wanted = (seen * factor - (start + length / 2)) / (factor - 1);
    return Math.round(Math.min(Math.max(wanted, start + 10), start + length - 10));
  };
  const x = pointAt(lying.left + at[0] * lying.scale, box.x, box.width);
  const y = pointAt(lying.top + at[1] * lying.scale, box.y, box.height);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -100 * notches);
  await page
    .getByTitle('Zoom', { exact: true })
    .getByText(`${Math.round(lying.scale * factor * 100)} %`)
    .waitFor();
  return { scale: lying.scale * factor, left: x - (x - lying.left) * factor, top: y - (y - lying.top) * factor };
}

const meanDifference = (a: Buffer, b: Buffer): number => {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, place) => sum + Math.abs(value - (b[place] ?? 0)), 0) / a.length;
};

async function wantedAt(file: string, size: Size, lying: Lying, at: readonly [number, number]) {
  const box = await canvasBox(page);
  const { scale } = lying;
  const part = { width: 200, height: 120 };
  const x = Math.round(Math.min(Math.max(lying.left + at[0] * scale - 100, box.x + 40), box.x + box.width - 440));
  const y = Math.round(Math.min(Math.max(lying.top + at[1] * scale - 60, box.y + 40), box.y + box.height - 160));
  const left = Math.floor((x - lying.left) / scale);
  const top = Math.floor((y - lying.top) / scale);
  const width = Math.min(size.width - left, Math.ceil((part.width + 1) / scale) + 1);
  const height = Math.min(size.height - top, Math.ceil((part.height + 1) / scale) + 1);
  const pixels = await sharp(file, { autoOrient: true, limitInputPixels: false })
    .extract({ left, top, width, height })
    .raw()
    .toBuffer();
  const wanted = Buffer.alloc(part.width * part.height * 3);
  /** Range of image pixels below a pixel of the page. */
  const under = (place: number, origin: number, start: number): readonly [number, number] => {
    const from = Math.floor((place - origin) / scale) - start;
    return [from, Math.max(from + 1, Math.floor((place + 1 - origin) / scale) - start)];
  };
  for (let row = 0, place = 0; row < part.height; row += 1) {
    const [upper, lower] = under(y + row, lying.top, top);
    for (let column = 0; column < part.width; column += 1, place += 3) {
      const [first, last] = under(x + column, lying.left, left);
      const sum = [0, 0, 0];
      for (let line = upper; line < lower; line += 1) {
        for (let one = first; one < last; one += 1) {
          for (const channel of [0, 1, 2])
            sum[channel] = (sum[channel] ?? 0) + (pixels[(line * width + one) * 3 + channel] ?? 0);
        }
      }
      const count = (lower - upper) * (last - first);
      for (const channel of [0, 1, 2]) wanted[place + channel] = (sum[channel] ?? 0) / count;
    }
  }
  return { clip: { x, y, ...part }, wanted };
}

/** Mean difference, 0 to 255 per channel, between the screen and the file's own pixels near a position. */
async function lookAt(file: string, size: Size, lying: Lying, at: readonly [number, number]) {
  const { clip, wanted } = await wantedAt(file, size, lying, at);
  return async (): Promise<number> =>
    meanDifference(
      await sharp(await page.screenshot({ clip }))
        .removeAlpha()
        .raw()
        .toBuffer(),
      wanted,
    );
}

describe('an image of 300 megapixels', () => {
  it('is shown completely at once, and in its own pixels when zoomed in', { timeout: 180_000 }, async () => {
    const made = openPrepared(0);
    await waitFrame(page, 0, pictures.length);
    const whole = await fitted(huge);
    const corner = [19_000, 900] as const;
    await leaveCanvas(page);
    expect(await (await lookAt(fileOf('0-huge.jpg'), huge, whole, [10_000, 7500]))()).toBeLessThan(20);
    await made;
    let lying = whole;
    for (const notches of [7, 6, 6]) {
      lying = await zoomTo(lying, corner, notches);
      await leaveCanvas(page);
      // Shifted by one square of the pattern, or blurred, the difference is about 30.
      const look = await lookAt(fileOf('0-huge.jpg'), huge, lying, corner);
      await expect.poll(look, { timeout: 30_000 }).toBeLessThan(8);
    }
  });

  it('has shapes at its pixels: one drawn around a mark in its far corner', { timeout: 120_000 }, async () => {
    await openPrepared(0);
    const mark = { left: huge.width - markPx, top: huge.height - markPx, side: markPx / 2 };
    const lying = await zoomTo(await fitted(huge), [mark.left, mark.top], 18);
    await leaveCanvas(page);
    const box = await canvasBox(page);
    /** The displayed mark, in pixels of the page. */
    const redIn = async () => {
      const shot = await page.screenshot({ clip: { ...box, width: box.width - 200 } });
      const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const found = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
      for (let place = 0; place < data.length; place += 3) {
        const isRed = (data[place] ?? 0) > 230 && (data[place + 1] ?? 0) < 60 && (data[place + 2] ?? 0) < 60;
        if (!isRed) continue;
        const [x, y] = [(place / 3) % info.width, Math.floor(place / 3 / info.width)];
        found.left = Math.min(found.left, x);
        found.top = Math.min(found.top, y);
        found.right = Math.max(found.right, x + 1);
        found.bottom = Math.max(found.bottom, y + 1);
      }
      return found;
    };
    await expect
      .poll(
        async () => {
          const { left, right } = await redIn();
          return Math.abs(right - left - mark.side * lying.scale);
        },
        {
          timeout: 30_000,
        },
      )
      .toBeLessThan(2);
    const red = await redIn();
    await typeLabel(page, 'mark');
    await page.keyboard.press('w');
    await page.mouse.move(box.x + red.left, box.y + red.top);
    await page.mouse.down();
    await page.mouse.move(box.x + red.right - 9, box.y + red.bottom - 9);
    await page.mouse.move(box.x + red.right, box.y + red.bottom);
    await page.mouse.up();
    await expect.poll(() => page.getByTestId('object').count()).toBe(1);
    await waitSaved(page);
    const { shapes } = await service.annotations('jobs', job);
    const wanted = [mark.left, mark.top, mark.left + mark.side, mark.top + mark.side];
    const off = shapes[0]?.points.map((value, index) => Math.abs(value - (wanted[index] ?? 0))) ?? [Infinity];
    expect(Math.max(...off)).toBeLessThan(2 / lying.scale);
  });
});

describe('a large image', () => {
  it.each([1, 2])(
    'with an EXIF rotation is upright at all zoom levels (frame %i)',
    { timeout: 60_000 },
    async (frame) => {
      await openFrame(frame);
      const file = fileOf(pictures[frame]?.name ?? '');
      const whole = await fitted(turned);
      await leaveCanvas(page);
      expect(await (await lookAt(file, turned, whole, [3500, 4000]))()).toBeLessThan(20);
      for (const corner of [
        [6500, 700],
        [600, 7400],
      ] as const) {
        await openPrepared(frame);
        const lying = await zoomTo(whole, corner, 12);
        await leaveCanvas(page);
        await expect.poll(await lookAt(file, turned, lying, corner), { timeout: 30_000 }).toBeLessThan(8);
      }
    },
  );

  it('says why its tiles are missing, stays usable, and loads them on request', { timeout: 60_000 }, async () => {
    const sentence = 'Cannot create the tiles of 3-large.jpg: the disk is full.';
    const tiles = /\/frames\/3\/tiles$/;
    await page.route(tiles, (route) => route.fulfill({ status: 507, json: sentence }));
    await openFrame(3);
    await page.getByText(`Showing a low-resolution preview. ${sentence}`).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.unroute(tiles);
    await page.route(/\/tiles\/\d+\//, (route) => route.fulfill({ body: 'no picture', contentType: 'image/jpeg' }));
    await page.getByRole('button', { name: 'Try again' }).click();
    const whole = await fitted(pictures[3].size);
    await page.getByText('Showing a low-resolution preview.').waitFor({ state: 'detached' });
    const lying = await zoomTo(whole, [7500, 5500], 12);
    await page.getByText('Cannot decode a part of the image').waitFor();
    await page.unroute(/\/tiles\/\d+\//);
    await page.getByRole('button', { name: 'Try again' }).click();
    await leaveCanvas(page);
    const file = fileOf('3-large.jpg');
    await expect.poll(await lookAt(file, pictures[3].size, lying, [7500, 5500]), { timeout: 30_000 }).toBeLessThan(8);
    await expect.poll(() => page.getByText('Showing a low-resolution preview.').count()).toBe(0);
  });

  it('is saved with more than its coarse pixels', { timeout: 60_000 }, async () => {
    await openPrepared(1);
    await page.getByRole('button', { name: 'Menu' }).click();
    const download = await downloadBy(page.getByRole('menuitem', { name: 'Save image with shapes as PNG' }));
    const saved = sharp(readFileSync(await download.path()));
    const { width, height } = await saved.metadata();
    expect([width, height]).toEqual([3584, 4096]);
    const region = { left: 3000, top: 3400, width: 400, height: 400 };
    const seen = await saved.extract(region).removeAlpha().raw().toBuffer();
    const scaled = (factor: number) =>
      sharp(fileOf('1-turned.jpg'), { autoOrient: true }).resize(1792 * factor, 2048 * factor);
    const right = await scaled(2).extract(region).raw().toBuffer();
    const coarse = await scaled(1).png({ compressionLevel: 1 }).toBuffer();
    const blurred = await sharp(coarse).resize(3584, 4096).extract(region).raw().toBuffer();
    expect(meanDifference(seen, right)).toBeLessThan(0.7 * meanDifference(blurred, right));
  });
});
