import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { taskOf } from './support/make-task.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder } = workbench;

describe('quality beside a ground truth', () => {
  it('is compared from the page of a task, and each conflict links to its place in the job', async () => {
    const id = await service.makeTask('quay', {
      images: 6,
      segment_size: 3,
      labels: [{ name: 'boat' }, { name: 'buoy' }],
    });
    const [boat = 0, buoy = 0] = (await service.labels(id)).map((label) => label.id);
    const box = (frame: number, label_id: number, points: readonly number[]) => ({
      frame,
      label_id,
      type: 'rectangle' as const,
      points,
    });
    await page.goto(`/tasks/${id}?tab=quality`);
    await page.getByText('No ground truth yet').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Frames', exact: true }).fill('100');
    await page.getByRole('button', { name: 'Create ground truth job' }).click();
    await page.getByText('No reports yet').waitFor();

    const jobs = await service.jobs(id);
    const truth = jobs.find(({ type }) => type === 'ground_truth')?.id ?? 0;
    const own = jobs.find(({ type }) => type === 'annotation')?.id ?? 0;
    const truths = [0, 1, 2, 3, 4, 5].map((frame) => box(frame, boat, [20, 20, 80, 70]));
    await service.ask('PUT', `/api/jobs/${truth}/annotations`, {
      shapes: [...truths, box(1, buoy, [100, 60, 120, 80])],
    });
    await page.getByRole('button', { name: 'Compare now' }).click();
    await page.getByText(/require a Ground Truth job in the task at the acceptance stage/).waitFor();
    await service.ask('PATCH', `/api/jobs/${truth}`, { stage: 'acceptance', state: 'completed' });
    // Differences: a missing buoy, an additional boat, and one with the label "buoy".
    await service.ask('PUT', `/api/tasks/${id}/annotations/`, {
      shapes: truths.map((shape) =>
        shape.frame === 2
          ? { ...shape, points: [28, 20, 80, 66] }
          : shape.frame === 4
            ? { ...shape, label_id: buoy }
            : shape,
      ),
    });
    await page.getByRole('button', { name: 'Compare now' }).click();
    await page.getByRole('heading', { name: 'Conflicts', exact: true }).waitFor();
    await page.getByRole('link', { name: /Missing Frame 1/ }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    await page.getByRole('button', { name: /^Different label/ }).click();
    await page.getByRole('heading', { name: 'Conflicts: Different label' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: /Frame \d · Job/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).click();

    await page.getByRole('tabpanel').getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('checkbox', { name: 'Compare attributes' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Changes apply to the next report.').waitFor();

    await page.getByRole('link', { name: new RegExp(`Missing Frame 1 · Job ${own}$`) }).click();
    await page.getByTestId('conflict-mark').getByText('Missing').waitFor();
    const row = page.getByTestId('conflict-row').first();
    await expect.poll(() => row.textContent()).toContain('Missing');
    await page.getByTestId('conflict-row').filter({ hasText: 'Low overlap' }).click();
    await page.getByTestId('conflict-mark').getByText('Low overlap').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});

it('replicas are made with a task, annotated apart, merged into their job and compared', async () => {
  const images = await makeImages(2, { width: 160, height: 120 });
  await page.goto('/tasks/new');
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(await writeImages(join(folder, 'harbour'), images));
  await page.getByPlaceholder('New label name').fill('boat');
  await page.keyboard.press('Enter');
  await page.getByPlaceholder('New label name').fill('buoy');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Advanced settings' }).click();
  await page.getByRole('combobox', { name: 'Replicas per job' }).click();
  await page.getByRole('option', { name: '3', exact: true }).click();
  await page.getByText('1 · 3 replicas each').waitFor();
  await page.getByRole('button', { name: 'Create and open' }).click();
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, 2);
  const id = taskOf(workbench);

  const labels = await service.labels(id);
  const [boat = 0, buoy = 0] = ['boat', 'buoy'].map((name) => labels.find((label) => label.name === name)?.id);
  const jobs = await service.jobs(id);
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
  await page.getByText('No replicas to compare yet').waitFor();
  await put(first, [box(0, boat, 10), box(0, buoy, 100), box(1, boat, 60)]);
  await put(second, [box(0, boat, 12), box(0, boat, 100), box(1, boat, 60)]);

  await page.getByRole('tab', { name: /^Jobs/ }).click();
  await page.getByRole('link', { name: `Replica, job ${second}` }).waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);

  await page.getByRole('button', { name: `More actions for job ${parent}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Merge replicas' }).click();
  // A menu that is still closing has no items, which the check of accessibility reports.
  await page.getByRole('menu').waitFor({ state: 'detached' });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Quorum' }).fill('1');
  await dialog.getByText('Replicas that must agree on an object and its label: 3 of 3').waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await dialog
    .getByText(
      `2 of 3 replicas were merged into job ${parent}: 2 objects. 1 object dropped, because too few replicas agree on it.`,
    )
    .waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const { shapes } = await service.annotations('jobs', parent);
  expect(shapes.map(({ label_id, source }) => [label_id, source])).toEqual([
    [boat, 'consensus'],
    [boat, 'consensus'],
  ]);

  await page.getByRole('tab', { name: 'Quality' }).click();
  const cell = page.getByRole('button', { name: `Job ${first} and Job ${second}: 66.7%` });
  await cell.waitFor();
  await cell.click();
  await page.getByText('1 difference', { exact: true }).waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
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
});
