import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { waitFrame, waitSaved } from '../e2e/support/annotate-screen.ts';
import { withSource } from '../../main/formats/io/open-source.ts';
import { downloadBy } from '../e2e/support/files.ts';
import { openWorkbench } from '../e2e/support/workbench.ts';
import { removeContainersOf, testSocket } from '../support/functions/docker-harness.ts';

/** Four plain areas on white, which every model detects. */
const areas = [
  { name: 'red', color: '#d01010', box: [20, 20, 100, 80] },
  { name: 'green', color: '#10a020', box: [140, 30, 220, 110] },
  { name: 'blue', color: '#1030d0', box: [240, 130, 310, 220] },
  { name: 'yellow', color: '#e8d010', box: [30, 140, 120, 220] },
] as const;
const functionName = 'workspace-sample';
/** The sample reads every second pixel, and the image is a JPEG. */
const nearPixels = 3;

testSocket();
const workbench = await openWorkbench();
const { service } = workbench;
const drawn = areas.map(
  ({ color, box: [left, top, right, bottom] }) =>
    `<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" fill="${color}"/>`,
);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">${drawn.join('')}</svg>`;
const bytes = await sharp(Buffer.from(svg)).flatten({ background: '#ffffff' }).jpeg({ quality: 95 }).toBuffer();
const labels = areas.map(({ name }) => ({ name }));
const task = await service.makeTask('areas', { images: [{ name: 'areas.jpg', bytes }], labels });
const [job = 0] = await service.jobsOf(task);
afterAll(async () => {
  await workbench.close();
  await removeContainersOf((made) => made === functionName);
});

const suggestions = () => workbench.page.getByTestId('suggestion');

it('the wizard deploys the sample detector, which suggests boxes; two are accepted, one rejected, and exported', async () => {
  const { page } = workbench;
  await page.goto('/models/new');
  await page.getByRole('radiogroup', { name: 'Handler' }).getByText('Sample').click();
  await page.getByRole('combobox', { name: 'Sample' }).click();
  await page
    .getByRole('option', { name: /Detector/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Limits and settings' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(functionName);
  await page.getByTestId('check-facts').getByText(functionName).waitFor();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  // The first run also builds the base image.
  await page.getByText(`“${functionName}” is ready`).waitFor({ timeout: 120_000 });

  await page.goto(`/tasks/${task}/jobs/${job}`);
  await waitFrame(page, 0, 1);
  await page.getByTestId('models-open').click();
  await page.getByTestId('detector-run').click();
  await expect.poll(() => suggestions().count()).toBe(4);
  const proposed = await suggestions().allTextContents();
  const row = (name: string) => suggestions().filter({ hasText: name });
  expect(areas.map(({ name }) => proposed.filter((text) => text.startsWith(name)).length)).toEqual([1, 1, 1, 1]);
  await row('red').getByRole('button', { name: 'Accept red' }).click();
  await row('green').getByRole('button', { name: 'Accept green' }).click();
  await row('blue').getByRole('button', { name: 'Reject blue' }).click();
  await expect.poll(() => suggestions().count()).toBe(1);
  await waitSaved(page);

  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'COCO 1.0', exact: true }).click();
  const download = await downloadBy(dialog.getByRole('button', { name: 'Export', exact: true }));
  const archive = join(workbench.folder, download.suggestedFilename());
  await download.saveAs(archive);

  const text = await withSource({ path: archive, name: 'areas.zip' }, (source) =>
    source.read('annotations/instances_default.json'),
  );
  const written = JSON.parse(Buffer.from(text).toString()) as {
    categories: { id: number; name: string }[];
    annotations: { category_id: number; bbox: [number, number, number, number] }[];
  };
  const names = new Map(written.categories.map(({ id, name }) => [id, name]));
  expect(written.annotations.map(({ category_id: id }) => names.get(id)).toSorted()).toEqual(['green', 'red']);
  for (const { category_id: id, bbox } of written.annotations) {
    const [left, top, right, bottom] = areas.find(({ name }) => name === names.get(id))?.box ?? [0, 0, 0, 0];
    const expected = [left, top, right - left, bottom - top];
    bbox.forEach((value, place) => expect(Math.abs(value - (expected[place] ?? 0))).toBeLessThanOrEqual(nearPixels));
  }
  expect(workbench.pageErrors).toEqual([]);
});
