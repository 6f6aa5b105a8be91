import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { blockDetector, blockLetters, blockReader } from '../support/onnx/block-reader.ts';
import { phraseFinder, pieces } from '../support/onnx/phrase-finder.ts';
import { writeModel } from '../support/onnx/square-finder.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { chooseFiles } from './support/files.ts';
import { storedShapes } from './support/make-task.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder } = workbench;
const file = (name: string, content: Buffer) => writeModel(join(folder, name), content);
const block = (background: string, left: number, top: number, width: number) => ({
  input: { create: { width, height: 40, channels: 3 as const, background } },
  left,
  top,
});
/** Lines from the top: "AB", then "B" beside "A", which starts a little higher. */
const receipt = await sharp({ create: { width: 800, height: 800, channels: 3, background: 'black' } })
  .composite([
    block('red', 100, 100, 60),
    block('lime', 160, 100, 60),
    block('lime', 100, 400, 80),
    block('red', 500, 396, 80),
  ])
  .png()
  .toBuffer();
const road = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#334455' } })
  .png()
  .toBuffer();

const suggestions = () => page.getByTestId('suggestion');
const phrasesIn = (place: Page | Locator) => place.locator('input').and(place.getByLabel('Look for'));
const panel = () => page.getByRole('complementary');

async function addModel(files: readonly string[]): Promise<void> {
  await page.goto('/models/add');
  await chooseFiles(page.getByRole('button', { name: 'Choose files' }), [...files]);
  await page.getByText('Drop an image to test the model').waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
}
async function finishAdding(): Promise<void> {
  await page.getByRole('button', { name: 'Add model', exact: true }).click();
  await page.getByRole('tab', { name: 'Try it' }).waitFor();
}

async function openTask(name: string, bytes: Buffer, labels: readonly object[], model: string): Promise<number> {
  const task = await service.makeTask(name, { images: [{ name: `${name}.png`, bytes }] });
  await service.ask('PATCH', `/api/tasks/${task}`, { labels });
  const [job] = await service.jobsOf(task);
  await page.goto(`/tasks/${task}/jobs/${job}`);
  await waitFrame(page, 0, 1);
  await page.getByTestId('models-open').click();
  await panel().getByRole('combobox', { name: 'Model', exact: true }).click();
  await page.getByRole('option', { name: model }).click();
  return task;
}

describe('a model that takes phrases', () => {
  it('is refused without its tokenizer, tried with phrases and added with it', async () => {
    await page.goto('/models/add');
    await chooseFiles(page.getByRole('button', { name: 'Choose files' }), [file('dino.onnx', phraseFinder())]);
    await page.getByText(/dino\.onnx needs its tokenizer/).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    const vocabulary = join(folder, 'vocab.txt');
    writeFileSync(vocabulary, pieces.join('\n'));
    await addModel([join(folder, 'dino.onnx'), vocabulary]);
    const photo = join(folder, 'road.png');
    writeFileSync(photo, road);
    await chooseFiles(page.getByRole('button', { name: 'Choose image' }), photo);
    await phrasesIn(page).pressSequentially('green square,');
    await page.getByRole('list', { name: 'Results' }).getByText('green square').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await finishAdding();
    await chooseFiles(page.getByRole('button', { name: 'Choose image' }), photo);
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect.poll(() => run.isDisabled()).toBe(true);
    await phrasesIn(page).pressSequentially('helmet,');
    await run.click();
    await page.getByRole('list', { name: 'Results' }).getByText('helmet').waitFor();
  });

  it('suggests objects of the phrases in the workspace, with the label that the user chose', async () => {
    const task = await openTask('road', road, [{ name: 'helmet' }, { name: 'vehicle' }], 'dino');
    await panel().getByText('Map at least one label').waitFor();
    const field = phrasesIn(panel());
    await field.pressSequentially('helmet,green square,');
    await panel().getByText('Labels: 1 of 2 used').waitFor();
    await panel()
      .getByRole('combobox', { name: /green square/ })
      .click();
    await page.getByRole('option', { name: 'vehicle' }).click();
    await panel().getByText('Labels: 2 of 2 used').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByTestId('detector-run').click();
    await expect.poll(() => suggestions().allTextContents()).toEqual(['vehicle90 %', 'helmet80 %']);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await panel().getByRole('button', { name: 'Accept all' }).click();
    await expect.poll(async () => (await storedShapes(workbench)).length).toBe(2);
    const { shapes } = await service.annotations('tasks', task);
    expect(shapes.map(({ points }) => points)).toEqual([
      [100, 75, 300, 125],
      [200, 0, 400, 100],
    ]);
    await page.reload();
    await waitFrame(page, 0, 1);
    await page.getByTestId('models-open').click();
    await panel().getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('option', { name: 'dino' }).click();
    await panel().getByText('Labels: 1 of 2 used').waitFor();
    for (const phrase of ['helmet', 'green square']) await panel().getByText(phrase, { exact: true }).first().waitFor();
  });

  it('starts a batch for a task with the phrases that are kept in its project', async () => {
    const project = await service.ask<{ id: number }>('POST', '/api/projects', {
      name: 'yard',
      labels: [{ name: 'helmet' }],
    });
    const [first, second] = [
      await service.makeTask('yard 1', { images: [{ name: '1.png', bytes: road }], project_id: project.id }),
      await service.makeTask('yard 2', { images: [{ name: '2.png', bytes: road }], project_id: project.id }),
    ];
    const [job] = await service.jobsOf(first);
    await service.ask('PATCH', `/api/limner/jobs/${job}/text_prompts`, { prompts: ['helmet'] });
    await page.goto(`/tasks/${second}`);
    await page.getByRole('button', { name: 'More actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Annotate with a model' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Detector' }).click();
    await page.getByRole('option', { name: 'dino' }).click();
    await dialog.getByText('helmet', { exact: true }).first().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start batch' }).click();
    await expect.poll(async () => (await service.annotations('tasks', second)).shapes.length).toBe(1);
  });
});

describe('a model that reads text', () => {
  it('is not added before its second file is read', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/api/models/files/upload?name=rec.onnx', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/models/add');
    await chooseFiles(page.getByRole('button', { name: 'Choose files' }), [
      file('det.onnx', blockDetector()),
      file('rec.onnx', blockReader({ character: blockLetters.join('\n') })),
    ]);
    const add = page.getByRole('button', { name: 'Add model', exact: true });
    await add.waitFor();
    expect(await add.isDisabled()).toBe(true);
    held.resolve();
    await expect.poll(() => add.isDisabled()).toBe(false);
    await page.unroute('**/api/models/files/upload?name=rec.onnx');
  });

  it('suggests its texts in reading order, and stores accepted ones as an attribute', async () => {
    await addModel([
      file('det.onnx', blockDetector()),
      file('rec.onnx', blockReader({ character: blockLetters.join('\n') })),
    ]);
    await finishAdding();
    const transcription = { name: 'transcription', input_type: 'text', mutable: false, values: [], default_value: '' };
    await openTask('receipt', receipt, [{ name: 'text', attributes: [transcription] }], 'det');
    await page.getByTestId('detector-run').click();
    await expect.poll(() => suggestions().count()).toBe(3);
    const texts = (await suggestions().allTextContents()).map((text) => text.replace(/\d+ %$/, ''));
    expect(texts).toEqual(['1AB', '2B', '3A']);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await panel().getByRole('button', { name: 'Accept all' }).click();
    await expect.poll(async () => (await storedShapes(workbench)).length).toBe(3);
    const shapes = await storedShapes(workbench);
    expect(shapes.map(({ attributes }) => attributes.map(({ value }) => value))).toEqual([['AB'], ['B'], ['A']]);
  });

  it('numbers the accepted regions in reading order, and their texts are edited one after the other in the list', async () => {
    await panel().getByRole('tab', { name: 'Objects' }).click();
    await panel().getByRole('combobox', { name: 'Sort', exact: true }).click();
    await page.getByRole('option', { name: 'Reading order' }).click();
    const texts = page.getByTestId('region-text');
    await expect.poll(() => texts.allTextContents()).toEqual(['AB', 'B', 'A']);
    expect(await page.getByTestId('reading-number').allTextContents()).toEqual(['1', '2', '3']);
    await texts.first().dblclick();
    const field = page.getByRole('textbox', { name: 'Text of the region' });
    expect(await breachesInBothThemes(page)).toEqual([]);
    await field.fill('ABC');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('B');
    await field.fill('nothing');
    await field.press('Escape');
    await expect.poll(() => texts.allTextContents()).toEqual(['ABC', 'B', 'A']);
    const stored = async () =>
      (await storedShapes(workbench)).map(({ attributes }) => attributes.map(({ value }) => value));
    await expect.poll(stored).toEqual([['ABC'], ['B'], ['A']]);
  });
});

describe('a batch of a model that takes phrases', () => {
  it('looks for the phrases in the tasks of a filter, with the labels that the user names', async () => {
    const task = await service.makeTask('alley', { images: [{ name: 'alley.png', bytes: road }] });
    await service.ask('PATCH', `/api/tasks/${task}`, { labels: [{ name: 'vehicle' }] });
    await page.goto('/models/batches');
    await page.getByRole('button', { name: 'New batch' }).click();
    await page.getByText('Tasks by filter').click();
    const dialog = page.getByRole('dialog');
    await page.getByTestId('filter-rule').getByRole('textbox', { name: 'Value' }).fill('alley');
    await dialog.getByRole('combobox', { name: 'Detector' }).click();
    await page.getByRole('option', { name: 'dino' }).click();
    const start = dialog.getByRole('button', { name: 'Start batch' });
    await expect.poll(() => start.isDisabled()).toBe(true);
    await phrasesIn(dialog).pressSequentially('green square,');
    await dialog.getByRole('textbox', { name: 'Label for green square' }).fill('vehicle');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await start.click();
    await page.getByTestId('batch-row').first().waitFor();
    await expect.poll(async () => (await service.annotations('tasks', task)).shapes.length).toBe(1);
  });
});
