import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { entriesOf } from '../support/zip-entries.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { photograph } from './support/photograph.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, pageErrors } = workbench;
await dropNewTask(workbench, 'market', 3);
await page.keyboard.press('w');
await drag(page, [0.2, 0.2], [0.4, 0.5]);
await answerName(page, 'apple');
await page.keyboard.press('f');
await waitFrame(page, 1, 3);
await page.keyboard.press('w');
await drag(page, [0.3, 0.3], [0.6, 0.5]);
await waitSaved(page);

it('divides frames, renames labels and turns boxes into polygons, and counts before what will be written', async () => {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  await dialog.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'COCO 1.0', exact: true }).click();
  await dialog.getByRole('button', { name: 'What is written' }).click();
  const summary = dialog.getByTestId('export-summary');
  await expect.poll(() => summary.textContent()).toBe('2 of 2 objects on 3 frames will be in it.');

  await dialog.getByRole('switch', { name: 'Leave them out' }).check();
  await expect.poll(() => summary.textContent()).toBe('2 of 2 objects on 2 frames will be in it.');
  await dialog.getByRole('combobox', { name: 'Split' }).click();
  await page.getByRole('option', { name: 'By chance', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Share of train in percent' }).fill('50');
  await dialog.getByRole('textbox', { name: 'Share of val in percent' }).fill('49');
  await dialog.getByRole('textbox', { name: 'Share of test in percent' }).fill('1');
  await dialog.getByRole('textbox', { name: 'Name of apple in the file' }).fill('fruit');
  await dialog.getByRole('combobox', { name: 'What becomes of boxes' }).click();
  await page.getByRole('option', { name: 'become polygons' }).click();
  await dialog.getByText('val 1').waitFor();

  // The frame beside the choices is as the file will have it.
  const seen = dialog.getByTestId('export-picture');
  await seen.locator('g[data-label="fruit"][data-type="polygon"]').waitFor();
  const [first = '', part = ''] =
    /^Written as (\S+) in (train|val), /
      .exec((await seen.getByTestId('export-picture-name').textContent()) ?? '')
      ?.slice(1) ?? [];
  await seen.getByRole('button', { name: 'Next frame with objects' }).click();
  const other = part === 'train' ? 'val' : 'train';
  await expect.poll(() => seen.getByTestId('export-picture-name').textContent()).toContain(` in ${other}, `);
  expect(await seen.getByTestId('export-picture-name').textContent()).not.toContain(first);
  expect(await seen.getByText('1 object of this frame is in the file.').count()).toBe(1);
  expect(await breachesInBothThemes(page)).toEqual([]);
  await photograph(page, 'export');

  await dialog.getByRole('combobox', { name: 'Name of the preset' }).fill('fruit');
  await dialog.getByRole('button', { name: 'Keep as a preset' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  const entries = await entriesOf(readFileSync(await download.path()));
  expect(Object.keys(entries).toSorted()).toEqual([
    'annotations/instances_train.json',
    'annotations/instances_val.json',
  ]);
  const train = JSON.parse(String(entries['annotations/instances_train.json'])) as {
    categories: { name: string }[];
    annotations: { segmentation: number[][] }[];
  };
  expect(train.categories.map(({ name }) => name)).toEqual(['fruit']);
  expect(train.annotations.map(({ segmentation }) => segmentation[0]?.length)).toEqual([8]);

  // The preset brings the choice back another time.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  await dialog.getByRole('button', { name: 'What is written' }).click();
  await dialog.getByRole('textbox', { name: 'Name of apple in the file' }).waitFor();
  await dialog.getByRole('combobox', { name: 'Name of the preset' }).click();
  await page.getByRole('option', { name: 'fruit' }).click();
  await expect
    .poll(() => dialog.getByRole('textbox', { name: 'Name of apple in the file' }).inputValue())
    .toBe('fruit');
  expect(pageErrors).toEqual([]);
});
