import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../support/zip-entries.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { chooseFiles, downloadBy } from './support/files.ts';
import { dropNewTask, storedIn } from './support/make-task.ts';
import { clickPlaces, drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

let exported: string;
const workbench = await useWorkbench();
const { page, folder } = workbench;
await dropNewTask(workbench, 'market', 3);
await page.keyboard.press('w');
await drag(page, [0.2, 0.2], [0.4, 0.5]);
await answerName(page, 'apple');
await page.keyboard.press('Shift+L');
await clickPlaces(page, [
  [0.5, 0.5],
  [0.7, 0.6],
]);
await page.keyboard.press('n');
await page.keyboard.press('f');
await waitFrame(page, 1, 3);
await page.keyboard.press('Shift+P');
await clickPlaces(page, [
  [0.3, 0.3],
  [0.5, 0.3],
  [0.4, 0.6],
]);
await page.keyboard.press('n');
await waitSaved(page);

const menu = async (item: string): Promise<void> => {
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const dialog = () => page.getByRole('dialog');

async function chooseFile(path: string): Promise<void> {
  await menu('Import annotations');
  await chooseFiles(dialog().getByRole('button', { name: 'Choose a file' }), path);
  await dialog().getByText('Detected').waitFor();
}

async function importFile(path: string, mode: 'Keep and add' | 'Replace'): Promise<void> {
  await chooseFile(path);
  await dialog().getByRole('radio', { name: mode }).check();
  await dialog().getByRole('button', { name: 'Import', exact: true }).click();
}

describe('export and import', () => {
  it('writes a file, and lists the objects that the format dropped', async () => {
    await menu('Export');
    await dialog().getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'COCO 1.0', exact: true }).click();
    await dialog().getByRole('switch', { name: 'Save images' }).check();
    const download = await downloadBy(dialog().getByRole('button', { name: 'Export', exact: true }));
    exported = join(folder, download.suggestedFilename());
    await download.saveAs(exported);
    expect(readFileSync(exported).subarray(0, 2).toString()).toBe('PK');
    const losses = dialog().getByRole('table').first();
    await expect
      .poll(() => losses.getByRole('row').filter({ hasText: 'polyline' }).allTextContents())
      .toEqual([expect.stringMatching(/^Polylineapple.+1$/)]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('detects the format of the exported file and replaces existing annotations', async () => {
    await importFile(exported, 'Replace');
    await dialog().getByText('Import completed.').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    expect(await storedIn(workbench)).toMatchObject({ shapes: { length: 2 }, tags: [] });
    await waitFrame(page, 1, 3);
    await expect.poll(() => page.getByTestId('object').count()).toBe(1);
    await expect.poll(() => page.getByTestId('undo').isDisabled()).toBe(true);
  });

  it('imports the valid records of a file with an invalid one and names its position', async () => {
    const file = join(folder, 'broken.json');
    const coco = {
      images: [{ id: 1, file_name: 'market/image-001.jpg', width: 640, height: 480 }],
      categories: [{ id: 1, name: 'apple' }],
      annotations: [
        { id: 1, image_id: 1, category_id: 1, bbox: [10, 10, 50, 40], area: 2000, iscrowd: 0 },
        { id: 2, image_id: 1, category_id: 1, bbox: 'nowhere', area: 1, iscrowd: 0 },
        { id: 3, image_id: 1, category_id: 1, bbox: [90, 10, 50, 40], area: 2000, iscrowd: 0 },
      ],
    };
    writeFileSync(file, JSON.stringify(coco));
    await importFile(file, 'Keep and add');
    await dialog().getByText('The objects listed below were left out').waitFor();
    await dialog().getByRole('row').filter({ hasText: 'broken.json' }).waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    expect(await storedIn(workbench)).toMatchObject({ shapes: { length: 4 }, tags: [] });
    await expect.poll(() => page.getByTestId('object').count()).toBe(3);
  });

  it('offers every format that a file may be in, and shows in advance which images do not match', async () => {
    // Files of labelme and of its relatives share a layout; the name does not decide.
    const file = join(folder, 'labels.zip');
    const shape = { label: 'apple', points: [[10, 10], [60, 50]], shape_type: 'rectangle' }; // prettier-ignore
    writeFileSync(file, JSON.stringify({ version: '5.5.0', flags: {}, shapes: [shape], imagePath: 'elsewhere.jpg' }));
    await chooseFile(file);
    const candidates = dialog().getByRole('radiogroup', { name: 'The file matches several formats' });
    await expect.poll(() => candidates.getByRole('radio').count()).toBe(2);
    await expect.poll(() => candidates.getByRole('radio', { name: 'labelme JSON 1.0' }).isChecked()).toBe(true);
    await candidates.getByText('labels.zip is JSON about one image').first().waitFor();
    await candidates.getByRole('radio', { name: 'X-AnyLabeling JSON 1.0' }).check();
    const before = await storedIn(workbench);
    await dialog().getByRole('button', { name: 'Dry run' }).click();
    await dialog().getByText('Nothing was changed').waitFor();
    await dialog().getByRole('row').filter({ hasText: 'elsewhere.jpg' }).waitFor();
    expect(await storedIn(workbench)).toEqual(before);
    await dialog().getByRole('button', { name: 'Back' }).click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('shows exports and imports on the requests page, with their reports', async () => {
    await page.goto('/requests');
    await page.getByText('Import annotations').first().waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'Export dataset' });
    const download = await downloadBy(row.getByRole('button', { name: 'Download' }));
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    await row.getByRole('button', { name: 'Report' }).click();
    await dialog().getByText('Dropped or changed', { exact: true }).waitFor();
  });
});

it('divides frames, renames labels and turns boxes into polygons, and counts before what will be written', async () => {
  await page.goto('/tasks');
  await dropNewTask(workbench, 'market', 3);
  await page.keyboard.press('w');
  await drag(page, [0.2, 0.2], [0.4, 0.5]);
  await answerName(page, 'apple');
  await page.keyboard.press('f');
  await waitFrame(page, 1, 3);
  await page.keyboard.press('w');
  await drag(page, [0.3, 0.3], [0.6, 0.5]);
  await waitSaved(page);
  const dialog = page.getByRole('dialog');
  await menu('Export');
  await dialog.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'COCO 1.0', exact: true }).click();
  await dialog.getByRole('button', { name: 'Export options' }).click();
  const summary = dialog.getByTestId('export-summary');
  await expect.poll(() => summary.textContent()).toBe('Exports 2 of 2 objects on 3 frames.');

  await dialog.getByRole('switch', { name: 'Leave out' }).check();
  await expect.poll(() => summary.textContent()).toBe('Exports 2 of 2 objects on 2 frames.');
  await dialog.getByRole('combobox', { name: 'Split' }).click();
  await page.getByRole('option', { name: 'Random', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'train share in percent' }).fill('50');
  await dialog.getByRole('textbox', { name: 'val share in percent' }).fill('49');
  await dialog.getByRole('textbox', { name: 'test share in percent' }).fill('1');
  await dialog.getByRole('textbox', { name: 'Name of apple in the file' }).fill('fruit');
  await dialog.getByRole('combobox', { name: 'Export rectangles' }).click();
  await page.getByRole('option', { name: 'convert to polygons' }).click();
  await dialog.getByText('val 1').waitFor();

  const seen = dialog.getByTestId('export-picture');
  await seen.locator('g[data-label="fruit"][data-type="polygon"]').waitFor();
  const [first = '', part = ''] =
    /^File: (\S+) in (train|val), /
      .exec((await seen.getByTestId('export-picture-name').textContent()) ?? '')
      ?.slice(1) ?? [];
  await seen.getByRole('button', { name: 'Next frame with objects' }).click();
  const other = part === 'train' ? 'val' : 'train';
  await expect.poll(() => seen.getByTestId('export-picture-name').textContent()).toContain(` in ${other}, `);
  expect(await seen.getByTestId('export-picture-name').textContent()).not.toContain(first);
  expect(await seen.getByText('1 object of this frame is exported.').count()).toBe(1);
  expect(await breachesInBothThemes(page)).toEqual([]);

  await dialog.getByRole('combobox', { name: 'Preset name' }).fill('fruit');
  await dialog.getByRole('button', { name: 'Save as preset' }).click();
  const download = await downloadBy(dialog.getByRole('button', { name: 'Export', exact: true }));
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

  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await menu('Export');
  await dialog.getByRole('button', { name: 'Export options' }).click();
  await dialog.getByRole('textbox', { name: 'Name of apple in the file' }).waitFor();
  await dialog.getByRole('combobox', { name: 'Preset name' }).click();
  await page.getByRole('option', { name: 'fruit' }).click();
  await expect
    .poll(() => dialog.getByRole('textbox', { name: 'Name of apple in the file' }).inputValue())
    .toBe('fruit');
});
