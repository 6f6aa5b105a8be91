import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeZip } from '../support/craft-zip.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, waitSaved } from './support/annotate-screen.ts';
import { chooseFiles, downloadBy } from './support/files.ts';
import { dropNewTask, jobOf, storedIn, taskOf } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder } = workbench;
await dropNewTask(workbench, 'market', 4);
await page.keyboard.press('w');
await drag(page, [0.2, 0.2], [0.4, 0.5]);
await answerName(page, 'apple');
await waitSaved(page);

const dialog = () => page.getByRole('dialog');
const becomes = (label: string) => dialog().getByRole('combobox', { name: `Import ${label} as`, exact: true });
const importButton = () => dialog().getByRole('button', { name: 'Import', exact: true });

async function openWith(path: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Import annotations' }).click();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Choose a file');
  const button = dialog().getByRole('button', { name: 'Choose a file' });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.press('Enter')]);
  await chooser.setFiles(path);
}

async function choose(field: string, option: string): Promise<void> {
  await dialog().getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Frame, label and left edge of each shape, in the order of frames. */
async function stored(): Promise<string[]> {
  const names = new Map((await service.labels(taskOf(workbench))).map(({ id, name }) => [id, name]));
  return (await storedIn(workbench)).shapes
    .map(({ frame, label_id, points }) => `${frame} ${names.get(label_id)} ${Math.round(points[0] ?? 0)}`)
    .toSorted();
}

describe('the import dialog', () => {
  it('shows the labels and images of a file before anything is written, and applies the choices', async () => {
    const file = join(folder, 'fruit.json');
    const names = ['market/image-001.jpg', 'DSC_7.jpg', 'DSC_8.jpg'];
    const annotation = (id: number, image: number, category: number) => ({
      id,
      image_id: image,
      category_id: category,
      bbox: id === 6 ? 'nowhere' : [id * 10, 20, 30, 40],
      area: 1200,
      iscrowd: 0,
    });
    const coco = {
      images: names.map((file_name, index) => ({ id: index + 1, file_name, width: 640, height: 480 })),
      categories: ['Apple', 'orange', 'pear', 'plum'].map((name, index) => ({ id: index + 1, name })),
      annotations: [[1, 1], [1, 2], [2, 3], [3, 4], [3, 2], [3, 2]].map(([image = 1, category = 1], index) => annotation(index + 1, image, category)), // prettier-ignore
    };
    writeFileSync(file, JSON.stringify(coco));
    const before = await stored();
    await openWith(file);

    await dialog().getByText('Frames: 1 of 3 images in the file match').waitFor();
    await expect
      .poll(() => dialog().getByTestId('unmatched-images').getByRole('listitem').allTextContents())
      .toEqual(['DSC_7.jpg', 'DSC_8.jpg']);
    await expect.poll(() => dialog().getByRole('radio', { name: 'Order (3)' }).isChecked()).toBe(false);
    await dialog().getByRole('radio', { name: 'Order (3)' }).check();
    const pairs = dialog().getByTestId('frame-pairs').getByRole('row');
    await pairs.filter({ hasText: 'DSC_8.jpg' }).filter({ hasText: 'market/image-002.jpg' }).waitFor();
    await expect.poll(() => dialog().getByTestId('unmatched-images').count()).toBe(0);

    await dialog().getByText('Labels: 4 in the file do not exist yet').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await expect.poll(() => becomes('Apple').inputValue()).toBe('apple');
    await expect.poll(() => becomes('orange').inputValue()).toBe('New label');
    await choose('Import pear as', 'Skip');
    await choose('Import plum as', 'apple');
    expect(await stored()).toEqual(before);

    await importButton().click();
    await dialog().getByText('The objects listed below were left out').waitFor();
    await expect
      .poll(() => dialog().getByTestId('report-counts').textContent())
      .toBe('4 objects included · 1 dropped · 1 invalid');
    const row = (text: string) => dialog().getByRole('row').filter({ hasText: text });
    await row('by the label mapping for "pear"').waitFor();
    await row('annotations[5]').filter({ hasText: 'fruit.json' }).waitFor();
    const download = await downloadBy(dialog().getByRole('button', { name: 'Save as JSON' }));
    const saved = join(folder, 'report.json');
    await download.saveAs(saved);
    expect(download.suggestedFilename()).toBe('fruit.json report.json');
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toMatchObject({
      invalidCount: 1,
      dropped: [{ label: 'pear', count: 1 }],
    });
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    expect(await stored()).toEqual([...before, '0 apple 10', '0 orange 20', '2 apple 40', '2 orange 50'].toSorted());
    await page.getByTestId('object').filter({ hasText: 'orange' }).first().waitFor();
  });

  it('has fields for the options of a format: the first frame of MOT', async () => {
    const file = join(folder, 'mot.zip');
    const rows = [5, 6].map((frame) => `${frame},-1,${frame * 10},10,20,20,1,1,1`).join('\n');
    writeFileSync(file, makeZip({ 'gt/gt.txt': rows, 'gt/labels.txt': 'apple' }));
    await openWith(file);
    await dialog().getByText('Frames: the file covers 0 of 4').waitFor();
    await dialog().getByRole('textbox', { name: 'Number of the first frame' }).fill('5');
    await dialog().getByText('Frames: the file covers 2 of 4').waitFor();
    await dialog().getByRole('radio', { name: 'Replace' }).check();
    await dialog().getByText('Deletes all existing annotations').waitFor();
    await importButton().click();
    await dialog().getByText('Import completed.').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    expect(await stored()).toEqual(['0 apple 50', '1 apple 60']);
  });

  it('asks for the subset and for new attributes if the file has some', async () => {
    const file = join(folder, 'subsets.zip');
    const attributes = { ripe: true };
    const part = (image: number) =>
      JSON.stringify({
        images: [{ id: 1, file_name: `market/image-00${image}.jpg`, width: 640, height: 480 }],
        categories: [{ id: 1, name: 'apple' }],
        annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [7, 7, 9, 9], area: 81, iscrowd: 0, attributes }],
      });
    const subsets = { 'annotations/instances_train.json': part(2), 'annotations/instances_val.json': part(3) };
    writeFileSync(file, makeZip(subsets));
    await openWith(file);
    await choose('Subset', 'val');
    await dialog().getByText('Frames: 1 of 1 image in the file matches').waitFor();
    await dialog().getByRole('radio', { name: 'Add to labels' }).check();
    await dialog().getByRole('radio', { name: 'Replace' }).check();
    await importButton().click();
    await dialog().getByText('Import completed.').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    expect(await stored()).toEqual(['3 apple 7']);
    const labels = await page.request.get(`/api/labels?job_id=${jobOf(workbench)}`);
    expect(JSON.stringify(await labels.json())).toContain('"name":"ripe"');
  });

  it('sends a file once for all readers, and leaves nothing of it when it is closed', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      const type = request.headers()['content-type'] ?? '';
      if (/^(application\/offset|multipart)/.test(type)) sent.push(`${request.method()} ${type}`);
    });
    const zip = makeZip({
      'obj.names': 'apple\n',
      'obj_train_data/image-001.txt': '0 0.5 0.5 0.2 0.2\n',
    });
    const file = join(folder, 'yolo.zip');
    writeFileSync(file, zip);
    const uploads = join(folder, 'data', 'data', 'uploads');
    const waiting = () => readdirSync(uploads, { recursive: true }).filter((name) => String(name).endsWith('.part'));

    await openWith(file);
    await dialog()
      .getByText(/^Frames: /)
      .waitFor();
    await dialog().getByRole('button', { name: 'Dry run' }).click();
    await dialog().getByRole('button', { name: 'Back' }).click();
    await dialog()
      .getByText(/^Frames: /)
      .waitFor();
    expect(sent).toEqual(['PATCH application/offset+octet-stream']);
    await expect.poll(() => waiting().length).toBe(1);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(waiting).toEqual([]);
  });

  it('does not claim to send a file after that has failed', async () => {
    const refused = { status: 507, contentType: 'application/json', body: '{"detail": "The disk is full."}' };
    const pieces = /\/annotations\/1_/;
    await page.route(pieces, (route) => route.fulfill(refused));
    const answered = page.waitForResponse((answer) => answer.status() === 507);
    await openWith(join(folder, 'yolo.zip'));
    await answered;
    await expect.poll(() => dialog().getByText('Uploading file').count()).toBe(0);
    await page.unroute(pieces);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('accepts a folder from the disk', async () => {
    const set = join(folder, 'fruit set');
    mkdirSync(join(set, 'annotations'), { recursive: true });
    const document = {
      images: [{ id: 1, file_name: 'market/image-001.jpg', width: 640, height: 480 }],
      categories: [{ id: 1, name: 'apple' }],
      annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [11, 7, 9, 9], area: 81, iscrowd: 0 }],
    };
    writeFileSync(join(set, 'annotations/instances_default.json'), JSON.stringify(document));
    writeFileSync(join(set, 'notes.txt'), 'made by hand');
    const before = await stored();
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Import annotations' }).click();
    await chooseFiles(dialog().getByRole('button', { name: 'Choose folder' }), set);
    await dialog().getByText('fruit set.zip').waitFor();
    await dialog().getByText('Frames: 1 of 1 image in the file matches').waitFor();
    await importButton().click();
    await dialog().getByText('Import completed.').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    expect(await stored()).toEqual([...before, '1 apple 11'].toSorted());
  });

  it('offers the options of a format when it exports', async () => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    await choose('Format', 'PASCAL VOC 1.1');
    await dialog().getByRole('switch', { name: 'Pixels count from 1' }).check();
    const download = await downloadBy(dialog().getByRole('button', { name: 'Export', exact: true }));
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    await dialog().getByText('The file is ready.').waitFor();
  });
});
