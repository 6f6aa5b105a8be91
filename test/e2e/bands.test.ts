import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/node-executable.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { canvasBox } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service } = await useWorkbench();
const files = ['rgb-infrared', 'signed-16'].map((name) => join(projectRoot, `test/fixtures/tiff/${name}.tif`));
const { id: task } = await service.createTask({ name: 'bands', labels: [{ name: 'field' }] });
await service.finished(await service.useServerFiles(task, files));
const job = (await service.jobs(task))[0]?.id ?? 0;
await page.goto(`/tasks/${task}/jobs/${job}?frame=0`);
await waitFrame(page, 0, 2);

async function lowerLeft(): Promise<number[]> {
  const box = await canvasBox(page);
  const clip = { x: box.x + box.width * 0.4, y: box.y + box.height * 0.6, width: 4, height: 4 };
  const { data } = await sharp(await page.screenshot({ clip }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, 3)].map((value) => Math.round(value / 50));
}

const choose = async (name: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

it('shows the chosen bands, and the default image after a reset', async () => {
  await expect.poll(lowerLeft).toEqual([1, 1, 4]);
  await page.getByRole('tab', { name: 'Appearance' }).click();
  await choose('Red', 'Band 4');
  await expect.poll(lowerLeft).toEqual([5, 1, 4]);
  expect(await breachesInBothThemes(page)).toEqual([]);
  await choose('Bands', 'One band as gray');
  await expect.poll(lowerLeft).toEqual([5, 5, 5]);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(lowerLeft).toEqual([1, 1, 4]);
});

it('shows the selected range of values', async () => {
  await page.keyboard.press('f');
  await waitFrame(page, 1, 2);
  await expect.poll(async () => (await lowerLeft())[0]).toBeLessThan(4);
  // Waits until the bands of the previous frame are removed.
  await page.getByRole('combobox', { name: 'Red', exact: true }).waitFor({ state: 'detached' });
  await page.getByText('0.1 % to 99.9 %').scrollIntoViewIfNeeded();
  const [black, white] = await Promise.all(
    ['black', 'white'].map((end) => page.getByRole('slider', { name: `Percentile shown as ${end}` }).boundingBox()),
  );
  if (!black || !white) throw new Error('The slider has no thumbs.');
  await page.mouse.move(white.x + white.width / 2, white.y + white.height / 2);
  await page.mouse.down();
  await page.mouse.move(white.x - (white.x - black.x) * 0.4, white.y + white.height / 2);
  await page.mouse.move(white.x - (white.x - black.x) * 0.45, white.y + white.height / 2);
  await page.mouse.up();
  await page.getByText(/^0\.1 % to 5\d(\.\d)? %$/).waitFor();
  await expect.poll(async () => (await lowerLeft())[0]).toBeGreaterThanOrEqual(3);
});
