import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isPointInPolygon } from '../../preload/geometry/geometry.ts';
import { writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, waitFrame } from './support/annotate-screen.ts';
import { storedShapes } from './support/make-task.ts';
import { clickPlaces, dropFiles, placeOf, type Place } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const [width, height] = [640, 480];
const leaf = { x: 320, y: 240, wide: 120, high: 170 };
const isLeaf = (x: number, y: number): boolean => {
  const [dx, dy] = [(x - leaf.x) / leaf.wide, (y - leaf.y) / leaf.high];
  return Math.abs(dx) + dy * dy < 1;
};
const edgeAt = (part: number): Place => {
  const dy = part < 0.5 ? -1 + 4 * part : 3 - 4 * part;
  const dx = (1 - dy * dy) * (part < 0.5 ? 1 : -1);
  return [leaf.x + dx * leaf.wide, leaf.y + dy * leaf.high];
};

async function leafPicture(): Promise<Buffer> {
  const outline = Array.from({ length: 400 }, (_, index) => edgeAt(index / 400).join(' ')).join(' L ');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="#8fa3b8"/><stop offset="1" stop-color="#c9cfc4"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#g)"/><path d="M ${outline} Z" fill="#4d7a44"/>
  </svg>`;
  const noise = { type: 'gaussian', mean: 128, sigma: 9 } as const;
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer();
  return sharp(Buffer.from(drawing))
    .composite([{ input: grain, blend: 'overlay' }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

const workbench = await useWorkbench();
const { page, folder } = workbench;
const leaves = join(folder, 'leaves');
const bytes = await leafPicture();
await writeImages(leaves, [
  { name: 'leaf-1.jpg', bytes },
  { name: 'leaf-2.jpg', bytes },
]);
await dropFiles(page, [leaves]);
await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
await waitFrame(page, 0, 2);

const press = (key: string) => page.keyboard.press(key);
const objects = () => page.getByTestId('object');

const polygons = () => storedShapes(workbench);

const onCanvas = (places: readonly Place[]) =>
  Promise.all(places.map((place) => placeOf(page, { width, height }, place)));

function overlap(points: readonly number[]): number {
  let [both, either] = [0, 0];
  for (let y = 0.5; y < height; y += 1) {
    for (let x = 0.5; x < width; x += 1) {
      const [a, b] = [isLeaf(x, y), isPointInPolygon(x, y, points)];
      both += a && b ? 1 : 0;
      either += a || b ? 1 : 0;
    }
  }
  return both / either;
}
describe('the intelligent scissors', () => {
  it('cut out a leaf with six clicks beside its edge', async () => {
    await page.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name: 'Intelligent scissors' }).click();
    await page.getByRole('toolbar', { name: 'Scissors' }).waitFor();
    const clicks = [0.02, 0.2, 0.36, 0.52, 0.7, 0.86].map(edgeAt).map(([x, y]): Place => [x + 2, y - 1]);
    await clickPlaces(page, await onCanvas(clicks));
    await page.getByText('Click: add a point.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await press('n');
    await answerName(page, 'leaf');
    await expect.poll(() => objects().count()).toBe(1);
    const [cut] = await polygons();
    expect(overlap(cut?.points ?? [])).toBeGreaterThan(0.97);
    expect(cut?.points.length).toBeLessThan(2 * 120);
  });

  it('set points automatically, undo them, and are cancelled by Escape', async () => {
    await press('Shift+S');
    const round = await onCanvas(Array.from({ length: 30 }, (_, index) => edgeAt(0.1 + index / 50)));
    await clickPlaces(page, round.slice(0, 1));
    const box = await page.getByTestId('canvas').boundingBox();
    for (const [x, y] of round) await page.mouse.move(box!.x + x * box!.width, box!.y + y * box!.height);
    await press('Backspace');
    await page.getByText('Click: add a point.').waitFor();
    await press('Backspace');
    await page.getByText('Click: add a point.').waitFor();
    await press('Escape');
    await page.getByText('Click the edge of the object').waitFor();
    await expect.poll(() => objects().count()).toBe(1);
  });

  it('in progress wait on their frame, and continue by the keys', async () => {
    await clickPlaces(page, await onCanvas([edgeAt(0.1), edgeAt(0.16)]));
    await press('f');
    await waitFrame(page, 1, 2);
    await press('d');
    await waitFrame(page, 0, 2);
    await page.getByText('Click: add a point.').waitFor();
    await press('ArrowRight');
    await press('Enter');
    await press('n');
    await expect.poll(() => objects().count()).toBe(2);
    await polygons();
    await press('Control+z');
    await expect.poll(() => objects().count()).toBe(1);
  });

  it('remember how closely they follow the edge', async () => {
    const slider = page.getByRole('slider', { name: 'Edge tolerance, pixels' });
    await slider.focus();
    await press('End');
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('8');
    await page.getByLabel('Automatic point spacing, pixels (0: off)').fill('90');
    await page.reload();
    await waitFrame(page, 0, 2);
    await press('Shift+S');
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('8');
    await clickPlaces(page, await onCanvas([0.02, 0.2, 0.36, 0.52, 0.7, 0.86].map(edgeAt)));
    await press('n');
    await expect.poll(() => objects().count()).toBe(2);
    const [fine, coarse] = await polygons();
    expect(coarse?.points.length).toBeLessThan((fine?.points.length ?? 0) / 2);
  });
});
