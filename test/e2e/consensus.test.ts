import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { taskOf } from './support/make-task.ts';
import { photograph } from './support/photograph.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder, pageErrors } = workbench;

it('replicas are made with a task, annotated apart, merged into their job and compared', async () => {
  const images = await makeImages(2, { width: 160, height: 120 });
  await page.goto('/tasks/new');
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(await writeImages(join(folder, 'harbour'), images));
  await page.getByPlaceholder('Name of a new label').fill('boat');
  await page.keyboard.press('Enter');
  await page.getByPlaceholder('Name of a new label').fill('buoy');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('combobox', { name: 'Replicas of each job' }).click();
  await page.getByRole('option', { name: '3', exact: true }).click();
  await page.getByText('1 · 3 replicas of each').waitFor();
  await photograph(page, 'consensus-new-task');
  await page.getByRole('button', { name: 'Create and open' }).click();
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, 2);
  const id = Number(taskOf(workbench));

  const { results: labels } = await service.ask<{ results: { id: number; name: string }[] }>(
    'GET',
    `/api/labels?task_id=${id}&sort=id`,
  );
  const [boat = 0, buoy = 0] = ['boat', 'buoy'].map((name) => labels.find((label) => label.name === name)?.id);
  const { results: jobs } = await service.ask<{ results: { id: number; type: string }[] }>(
    'GET',
    `/api/jobs?task_id=${id}&sort=id`,
  );
  const parent = jobs.find(({ type }) => type === 'annotation')?.id ?? 0;
  const [first = 0, second = 0] = jobs.filter(({ type }) => type === 'consensus_replica').map((job) => job.id);
  const box = (frame: number, label_id: number, left: number) => ({
    frame,
    label_id,
    type: 'rectangle' as const,
    points: [left, 20, left + 40, 70],
  });
  const put = (job: number, shapes: readonly object[]) =>
    service.ask('PUT', `/api/jobs/${job}/annotations`, { shapes });

  await page.goto(`/tasks/${id}?tab=quality`);
  await page.getByText('Nobody to compare yet').waitFor();
  await put(first, [box(0, boat, 10), box(0, buoy, 100), box(1, boat, 60)]);
  await put(second, [box(0, boat, 12), box(0, boat, 100), box(1, boat, 60)]);

  await page.getByRole('tab', { name: /^Jobs/ }).click();
  await page.getByRole('link', { name: `Replica, job ${second}` }).waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await photograph(page, 'consensus-jobs');

  await page.getByRole('button', { name: `More for job ${parent}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Merge replicas' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Share of replicas that must agree' }).fill('1');
  await dialog.getByText('On the object and on its label: 3 of 3').waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await photograph(page, 'consensus-merge');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await dialog
    .getByText(`2 of 3 replicas were merged into job ${parent}: 2 objects. 1 object left out, as too few agree on it.`)
    .waitFor();
  await photograph(page, 'consensus-merged');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const { shapes } = await service.ask<{ shapes: { label_id: number; source: string }[] }>(
    'GET',
    `/api/jobs/${parent}/annotations`,
  );
  expect(shapes.map(({ label_id, source }) => [label_id, source])).toEqual([
    [boat, 'consensus'],
    [boat, 'consensus'],
  ]);

  await page.getByRole('tab', { name: 'Quality' }).click();
  // Of three things they both drew they call two the same.
  const cell = page.getByRole('button', { name: `Job ${first} and Job ${second}: 66.7%` });
  await cell.waitFor();
  await cell.click();
  await page.getByText('1 difference', { exact: true }).waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await photograph(page, 'consensus-agreement');
  await page
    .getByRole('listitem')
    .filter({ hasText: '1 difference' })
    .getByRole('link', { name: `Job ${second}` })
    .click();
  await page.waitForURL(new RegExp(`/jobs/${second}`));
  await waitFrame(page, 0, 2);

  await page.goto(`/tasks/${id}/jobs/${parent}`);
  await waitFrame(page, 0, 2);
  await page.getByText('boat').first().waitFor();
  await photograph(page, 'consensus-in-job');
  expect(pageErrors).toEqual([]);
});
