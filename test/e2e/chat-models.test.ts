import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { startChatServer } from '../support/chat-server.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { chooseFiles } from './support/files.ts';
import { storedIn } from './support/make-task.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder } = workbench;
const server = await startChatServer(['seer-7b.gguf', 'small'], 'open-sesame');
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.state.models = ['seer-7b.gguf', 'small'];
});

const road = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#334455' } })
  .png()
  .toBuffer();
const row = () => page.getByTestId('model-row').filter({ hasText: 'seer-7b' });

it('a vision model behind a chat endpoint is added by its address, and refused in words before', async () => {
  await page.goto('/models/add');
  const field = (name: string) => page.getByRole('textbox', { name });
  await field('Address (llama.cpp, Ollama, vLLM)').fill(server.url);
  const panel = page.locator('form').filter({ hasText: 'Instructions' });
  await page.getByLabel('API key').fill('wrong');
  await panel.getByRole('button', { name: 'Add model' }).click();
  await page.getByText(/refuses access \(401\)/).waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await page.getByLabel('API key').fill('open-sesame');
  await panel.getByRole('button', { name: 'Add model' }).click();
  await page.getByText('Choose one of: seer-7b.gguf, small.').waitFor();
  await panel.getByRole('textbox', { name: 'Model' }).fill('seer-7b.gguf');
  await field('Instructions').fill('It is summer.');
  await panel.getByRole('button', { name: 'Add model' }).click();
  await page.getByRole('tab', { name: 'Try it' }).waitFor();
  await page.getByText(/Reached in/).waitFor();
});

it('it describes an image where it is tried', async () => {
  server.state.reply = () => ({ content: '{"caption":"A plain area."}' });
  const photo = join(folder, 'road.png');
  writeFileSync(photo, road);
  await chooseFiles(page.getByRole('button', { name: 'Choose image' }), photo);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const results = page.getByRole('list', { name: 'Results' });
  await results.getByText('caption', { exact: true }).waitFor();
  await results.getByText('A plain area.').waitFor();
  expect(server.state.questions.at(-1)?.text).toContain('It is summer.');
  expect(await breachesInBothThemes(page)).toEqual([]);
});

it('the list tells whether its endpoint answers, and why not', async () => {
  await page.goto('/models');
  await row()
    .getByText(/Reached in/)
    .waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  server.state.models = ['small'];
  await row().getByRole('button', { name: 'More actions for seer-7b' }).click();
  await page.getByRole('menuitem', { name: 'Test connection' }).click();
  await row().getByText('Unreachable').waitFor();
  await row()
    .getByText(/no longer offers "seer-7b\.gguf"/)
    .waitFor();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await breachesInBothThemes(page)).toEqual([]);
  server.state.models = ['seer-7b.gguf', 'small'];
  await row().getByRole('button', { name: 'More actions for seer-7b' }).click();
  await page.getByRole('menuitem', { name: 'Test connection' }).click();
  await row()
    .getByText(/Reached in/)
    .waitFor();
});

it('it suggests attributes of the objects on a frame, which are accepted or rejected', async () => {
  server.state.reply = () => ({ content: '{"color":"red"}' });
  const color = {
    name: 'color',
    input_type: 'select',
    mutable: false,
    values: ['blue', 'red'],
    default_value: 'blue',
  };
  const task = await service.makeTask('cars', { images: [{ name: 'road.png', bytes: road }] });
  await service.ask('PATCH', `/api/tasks/${task}`, {
    labels: [{ name: 'vehicle', type: 'rectangle', attributes: [color] }],
  });
  const { results: labels } = await service.ask<{ results: { id: number; name: string }[] }>(
    'GET',
    `/api/labels?task_id=${task}&page_size=100`,
  );
  const label_id = labels.find(({ name }) => name === 'vehicle')?.id;
  const shape = (left: number) => ({
    type: 'rectangle',
    frame: 0,
    label_id,
    points: [left, 40, left + 90, 120],
    source: 'manual',
    occluded: false,
    z_order: 0,
    attributes: [],
  });
  await service.ask('PATCH', `/api/tasks/${task}/annotations?action=create`, {
    version: 0,
    tags: [],
    tracks: [],
    shapes: [shape(40), shape(240)],
  });
  const [job] = await service.jobsOf(task);
  await page.goto(`/tasks/${task}/jobs/${job}`);
  await waitFrame(page, 0, 1);
  await page.getByTestId('models-open').click();
  const panel = page.getByRole('complementary');
  await panel.getByRole('combobox', { name: 'Model', exact: true }).click();
  await page.getByRole('option', { name: 'seer-7b' }).click();
  await panel.getByText('Attributes of objects').click();
  // Answers of chat endpoints have no scores.
  expect(await panel.getByRole('slider', { name: 'Threshold' }).count()).toBe(0);
  await page.getByTestId('detector-run').getByText('Suggest attributes').click();
  await expect.poll(() => page.getByTestId('suggestion').count()).toBe(2);
  await page.getByTestId('suggestion').first().getByText('color: red').waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await page
    .getByTestId('suggestion')
    .first()
    .getByRole('button', { name: /^Reject/ })
    .click();
  await panel.getByRole('button', { name: 'Accept all' }).click();
  await expect
    .poll(async () =>
      (await storedIn(workbench)).shapes.map(({ attributes }) => attributes.map(({ value }) => value)).sort(),
    )
    .toEqual([['blue'], ['red']]);
});

it('it suggests a tag with its attributes in the workspace', async () => {
  server.state.reply = () => ({
    content: '{"scene":{"applies":true,"attributes":{"weather":"rain"}}}',
  });
  const weather = {
    name: 'weather',
    input_type: 'select',
    mutable: false,
    values: ['sun', 'rain'],
    default_value: 'sun',
  };
  const task = await service.makeTask('weather', { images: [{ name: 'road.png', bytes: road }] });
  await service.ask('PATCH', `/api/tasks/${task}`, { labels: [{ name: 'scene', type: 'tag', attributes: [weather] }] });
  const [job] = await service.jobsOf(task);
  await page.goto(`/tasks/${task}/jobs/${job}`);
  await waitFrame(page, 0, 1);
  await page.getByTestId('models-open').click();
  const panel = page.getByRole('complementary');
  await panel.getByRole('combobox', { name: 'Model', exact: true }).click();
  await page.getByRole('option', { name: 'seer-7b' }).click();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await page.getByTestId('detector-run').click();
  await page.getByTestId('suggestion').getByText('scene').waitFor();
  await panel.getByRole('button', { name: 'Accept all' }).click();
  await expect
    .poll(async () => (await storedIn(workbench)).tags.map(({ attributes }) => attributes.map(({ value }) => value)))
    .toEqual([['rain']]);
});
