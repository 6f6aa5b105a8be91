import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { maskBox } from '../../preload/geometry/mask-runs.ts';
import { colourDecoder, colourEncoder } from '../support/onnx/region-grower.ts';
import { finderWeights, rowsOfSix, squareFinder, writeModel } from '../support/onnx/square-finder.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { chooseFiles } from './support/files.ts';
import { storedShapes } from './support/make-task.ts';
import { clickPlaces, dropFiles, placeOf } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const side = 320;
const file = (name: string, content: Buffer) => writeModel(join(folder, name), content);
const workbench = await useWorkbench();
const { page, service, folder } = workbench;
const square = (color: string) => ({ create: { width: 64, height: 64, channels: 3 as const, background: color } });
const photo = join(folder, 'squares.png');
const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#223344' } })
  .composite([
    { input: square('red'), left: 64, top: 128 },
    { input: square('lime'), left: 192, top: 0 },
  ])
  .png()
  .toBuffer();
writeFileSync(photo, picture);

describe('a model file', () => {
  it('is dropped on Models, tried on an image, changed, added, and found in the list', async () => {
    await page.goto('/models/add');
    await page.getByText('Native function of cvat-cli').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.goto('/tasks');
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    const veil = page.getByText('Drop to create a task');
    // The element below the pointer is replaced during the drag, so the pointer never leaves it.
    await dropFiles(page, [file('squares.onnx', squareFinder())], {
      beforeDrop: async () => {
        await veil.waitFor();
        await page.getByRole('link', { name: 'Models' }).press('Enter');
        await page.getByRole('heading', { name: 'Models' }).waitFor();
      },
    });
    await veil.waitFor({ state: 'detached' });
    await page.getByText("The labels (2) come from the file's metadata.").waitFor();
    await chooseFiles(page.getByRole('button', { name: 'Choose image' }), photo);
    const results = page.getByRole('list', { name: 'Results' });
    await results.getByText('red square').waitFor();
    await page.getByRole('textbox', { name: /^Labels, one per line/ }).fill('brick\nleaf');
    await results.getByText('brick').waitFor();
    await results.getByText('leaf').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    const add = page.getByRole('button', { name: 'Add model', exact: true });
    const runs = page.getByRole('radiogroup', { name: 'Runs' });
    await runs.getByText('In a container').click();
    await page.getByRole('combobox', { name: 'Base image' }).waitFor();
    expect(await add.isDisabled()).toBe(true);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Base image' }).scrollIntoViewIfNeeded();
    await runs.getByText('In Limner').click();
    await add.click();
    await page.getByRole('tab', { name: 'Try it' }).waitFor();
    await page.goto('/models');
    const row = page.getByTestId('model-row').filter({ hasText: 'squares' });
    await row.getByText('brick, leaf').waitFor();
    await row.getByRole('link', { name: 'squares' }).click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    const labels = page.getByRole('textbox', { name: /^Labels, one per line/ });
    await expect.poll(() => labels.inputValue()).toBe('brick\nleaf');
    await labels.fill('stone\nleaf');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('“squares” saved.').waitFor();
    await page.goto('/models');
    await row.getByText('stone, leaf').waitFor();
  });

  it('that two readings fit shows both results, preselects none and adds the chosen one', async () => {
    await page.goto('/models/add');
    await chooseFiles(page.getByRole('button', { name: 'Choose files' }), [file('rows.onnx', rowsOfSix())]);
    await page.getByRole('heading', { name: 'Which result is right?' }).waitFor();
    const corners = page.getByRole('region', { name: /Corners$/ });
    const centers = page.getByRole('region', { name: /Center and size$/ });
    await corners.getByText('x1 y1 x2 y2 score label').waitFor();
    for (const card of [corners, centers]) {
      await card.locator('[data-testid="result-shapes"] [data-label]').first().waitFor({ state: 'attached' });
    }
    const add = page.getByRole('button', { name: 'Add model', exact: true });
    expect(await add.count()).toBe(0);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('1');
    await corners.getByRole('button', { name: 'Chosen', pressed: true }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await add.click();
    await page.getByRole('tab', { name: 'Try it' }).waitFor();
    const stored = await service.ask<{ description: { output: object } }>('GET', '/api/models/files/rows');
    expect(stored.description.output).toMatchObject({ boxes: 'xyxy', unit: 'pixels' });
  });

  it('is added with the file of its weights, in any order, and its settings are exported', async () => {
    await page.goto('/models/add');
    const weights = file('weights.bin', finderWeights());
    const model = file('far.onnx', squareFinder({}, { elsewhere: 'weights.bin' }));
    await chooseFiles(page.getByRole('button', { name: 'Choose files' }), [model]);
    await page.getByText('far.onnx stores its weights in "weights.bin", which is missing.').waitFor();
    await page.getByText('Files are missing').waitFor();
    await chooseFiles(page.getByRole('button', { name: 'Choose another file' }), [weights, model]);
    await page.getByText("The labels (2) come from the file's metadata.").waitFor();
    await page.getByRole('button', { name: 'Add model', exact: true }).click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export settings' }).click();
    expect((await download).suggestedFilename()).toBe('far.limner.json');
    const settings = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as object;
    expect(settings).toMatchObject({ limner_model: 1, file_name: 'far.onnx', description: { head: 'yolo' } });
  });

  it('of Segment Anything makes a mask of a click in the workspace', async () => {
    await page.goto('/models/add');
    await chooseFiles(page.getByRole('button', { name: 'Choose files' }), [
      file('sam.onnx', colourEncoder()),
      file('sam-decoder.onnx', colourDecoder()),
    ]);
    await page.getByText('Drop an image to test the model').waitFor();
    await page.getByRole('button', { name: 'Add model', exact: true }).click();
    await page.getByRole('tab', { name: 'Try it' }).waitFor();
    const bytes = await sharp(photo).toBuffer();
    const task = await service.makeTask('clicks', { images: [{ name: 'squares.png', bytes }] });
    const [job] = await service.jobsOf(task);
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, 1);
    await page.getByTestId('models-open').click();
    await page.getByRole('complementary').getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('option', { name: 'sam' }).click();
    await page.getByTestId('interact').click();
    await page.getByRole('button', { name: 'Stop segmenting' }).waitFor();
    const answered = page.waitForResponse('**/api/lambda/functions/sam**');
    await clickPlaces(page, [await placeOf(page, { width: side, height: side }, [96, 160])]);
    expect((await answered).status()).toBe(200);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await storedShapes(workbench)).length).toBe(1);
    const [shape] = await storedShapes(workbench);
    const { left, right } = maskBox(shape!.points);
    const xs = shape!.type === 'mask' ? [left, right] : shape!.points.filter((_, index) => index % 2 === 0);
    expect([Math.min(...xs), Math.max(...xs)].map((value) => Math.round(value / 8) * 8)).toEqual([64, 128]);
  });
});
