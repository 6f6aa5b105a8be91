import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { downloadBy } from './support/files.ts';
import { useWorkbench } from './support/workbench.ts';

/** Batches of an external detector whose answers the test controls. */
let held: (() => void)[] = [];
let isHeld = false;
const release = (): void => {
  isHeld = false;
  for (const answer of held.splice(0)) answer();
};
const box = [{ label: 'thing', type: 'rectangle', points: [1, 1, 9, 9], confidence: '0.9' }];
let calls = 0;

const detector = createServer((request, answer) => {
  request.resume().on('end', () => {
    calls += 1;
    const isBad = calls === 2;
    const say = (): void => {
      answer.writeHead(isBad ? 500 : 200, { 'Content-Type': 'application/json' });
      answer.end(isBad ? 'This picture is too dark for me' : JSON.stringify(box));
    };
    if (isHeld) held.push(say);
    else say();
  });
});
detector.listen(0, '127.0.0.1');
await once(detector, 'listening');
const { page, service } = await useWorkbench();
const spec = '[{"id":0,"name":"thing"}]';
await service.ask('POST', '/api/models/endpoints', {
  configuration: JSON.stringify({
    metadata: { name: 'finder', annotations: { name: 'Finder', type: 'detector', spec } },
  }),
  url: `http://127.0.0.1:${(detector.address() as AddressInfo).port}/`,
});
afterAll(() => {
  release();
  detector.closeAllConnections();
  detector.close();
});

it('annotates a task by a batch that is paused, goes on, says what it left out, and is undone', async () => {
  const task = await service.makeTask('street', { images: 5 });
  const objects = async () => (await service.annotations('tasks', task)).shapes.length;

  await page.goto('/models/batches');
  await page.getByText('No batches yet').waitFor();
  // Also from within a list: nothing starts before the settings are confirmed.
  await page.getByRole('button', { name: 'New batch' }).click();
  await page.getByText('Tasks by filter').click();
  await expect.poll(() => page.getByRole('button', { name: 'Start batch' }).isDisabled()).toBe(true);
  await page.getByTestId('filter-rule').getByRole('textbox', { name: 'Value' }).fill('street');
  await page.getByText('Labels are matched by name in each task.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Start batch' }).isEnabled()).toBe(true);
  expect(await breachesInBothThemes(page)).toEqual([]);
  await page.goto(`/tasks/${task}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Annotate with a model' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByTestId('mapping').getByText('thing').waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  isHeld = true;
  await dialog.getByRole('button', { name: 'Start batch' }).click();

  const row = page.getByTestId('batch-row').first();
  await row.getByText('Running').waitFor();
  await row.getByRole('link', { name: 'street' }).waitFor();
  const choose = async (name: string): Promise<void> => {
    await row.getByRole('button', { name: /^More actions for batch/ }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Raise priority');
  await row.getByText('10', { exact: true }).waitFor();
  await choose('Pause');
  release();
  await row.getByTestId('batch-state').getByText('Paused').waitFor();
  await choose('Resume');
  await row.getByTestId('batch-state').getByText('Finished').waitFor();
  expect(await objects()).toBe(4);
  await row.getByRole('button', { name: /^Show skipped frames/ }).click();
  await page.getByRole('dialog').getByText('This picture is too dark for me').waitFor();
  await page.keyboard.press('Escape');
  expect(await breachesInBothThemes(page)).toEqual([]);

  await choose('Undo batch');
  await page.getByRole('dialog').getByRole('button', { name: 'Undo batch' }).click();
  await row.getByTestId('batch-state').getByText('Undone').waitFor();
  expect(await objects()).toBe(0);
});

it('puts what it finds in the tasks of a project into prediction sets, chosen on Models', async () => {
  const project = await service.makeProject('roads');
  const task = await service.makeTask('night', { images: 3, project_id: project });
  await page.goto('/models');
  await page.getByRole('button', { name: 'Batches' }).click();
  await page.getByRole('button', { name: 'New batch' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Project', { exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Choose a project' }).click();
  await page.getByRole('option', { name: 'roads' }).click();
  await dialog.getByText('Prediction set', { exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Prediction set name' }).fill('at night');
  await dialog.getByRole('button', { name: 'Start batch' }).click();
  await page.getByTestId('batch-row').first().getByText('Finished').waitFor();
  await page.goto(`/tasks/${task}?tab=evaluation`);
  await page
    .getByRole('row', { name: /at night/ })
    .getByText('3 objects')
    .waitFor();
  await page.goto('/models/finder');
  await page.getByRole('tab', { name: 'Metrics' }).click();
  await page.getByRole('application', { name: 'Latency' }).waitFor();
  await expect.poll(() => page.getByTestId('version-row').getByRole('cell').nth(1).textContent()).toBe('1');
  expect(await breachesInBothThemes(page)).toEqual([]);
  const file = await downloadBy(page.getByRole('button', { name: 'CSV' }));
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^date,version,call_count,error_count,mean_ms,p50_ms,/);
});
