import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { photograph } from './support/photograph.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service, pageErrors } = await useWorkbench();

describe('quality beside a ground truth', () => {
  it('is compared from the page of a task, and each conflict leads to its place in the job', async () => {
    const id = await service.makeTask('quay', {
      images: 6,
      segment_size: 3,
      labels: [{ name: 'boat' }, { name: 'buoy' }],
    });
    const { results: labels } = await service.ask<{ results: { id: number }[] }>('GET', `/api/labels?task_id=${id}`);
    const [boat = 0, buoy = 0] = labels.map((label) => label.id);
    const box = (frame: number, label_id: number, points: readonly number[]) => ({
      frame,
      label_id,
      type: 'rectangle' as const,
      points,
    });
    await page.goto(`/tasks/${id}?tab=quality`);
    await page.getByText('No ground truth yet').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Frames, chosen at random' }).fill('6');
    await page.getByRole('button', { name: 'Create the ground truth job' }).click();
    await page.getByText('Not compared yet').waitFor();

    const { results: jobs } = await service.ask<{ results: { id: number; type: string }[] }>(
      'GET',
      `/api/jobs?task_id=${id}&sort=id`,
    );
    const truth = jobs.find(({ type }) => type === 'ground_truth')?.id ?? 0;
    const own = jobs.find(({ type }) => type === 'annotation')?.id ?? 0;
    const truths = [0, 1, 2, 3, 4, 5].map((frame) => box(frame, boat, [20, 20, 80, 70]));
    await service.ask('PUT', `/api/jobs/${truth}/annotations`, {
      shapes: [...truths, box(1, buoy, [100, 60, 120, 80])],
    });
    // Right but for: a buoy that is missing, a loose boat, and one that is called a buoy.
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
    await photograph(page, 'quality-report');

    // A number opens what is behind it.
    await page.getByRole('button', { name: /^Another label/ }).click();
    await page.getByRole('heading', { name: 'Conflicts: Another label' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: /Frame \d · Job/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).click();

    await page.getByRole('tabpanel').getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('checkbox', { name: 'Compare attributes' }).uncheck();
    await photograph(page, 'quality-settings');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. They hold from the next report on.').waitFor();

    await page.getByRole('link', { name: new RegExp(`Missing Frame 1 · Job ${own}$`) }).click();
    await page.getByTestId('conflict-mark').getByText('Missing').waitFor();
    const row = page.getByTestId('conflict-row').first();
    await expect.poll(() => row.textContent()).toContain('Missing');
    await photograph(page, 'quality-conflict');
    await page.getByTestId('conflict-row').filter({ hasText: 'Fits loosely' }).click();
    await page.getByTestId('conflict-mark').getByText('Fits loosely').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});
