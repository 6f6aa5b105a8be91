import { describe, expect, it } from 'vitest';
import { makeShapes } from '../bench/support/shapes.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { downloadBy } from './support/files.ts';
import { useWorkbench } from './support/workbench.ts';

/** Large enough that a user has time to cancel the export. */
const shapesPerSave = 20_000;
const saves = 6;

let task = 0;
const { page, service } = await useWorkbench();

const rows = () => page.getByRole('listitem');
const row = (...texts: string[]) => texts.reduce((found, text) => found.filter({ hasText: text }), rows());
const startExport = (id: number, format: string) => service.startExport('tasks', id, format, true);

async function fill(id: number): Promise<void> {
  const [label] = await service.labels(id);
  for (let index = 0; index < saves; index += 1) {
    const shapes = makeShapes(shapesPerSave, label?.id ?? 0, index);
    await service.changeAnnotations('tasks', id, 'create', { shapes });
  }
}

describe('the list of requests', () => {
  it('says what belongs there while it is empty', async () => {
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('shows finished requests with their object, report and file', async () => {
    const small = await service.makeTask('small', { images: 2 });
    await startExport(small, 'COCO 1.0');
    const exported = row('Export dataset', 'COCO 1.0');
    await exported.getByText('Done').waitFor();
    await row('Prepare images').getByText('Done').waitFor();
    await expect.poll(() => exported.textContent()).toMatch(/available until/);
    expect(await breachesInBothThemes(page)).toEqual([]);
    const downloading = await downloadBy(exported.getByRole('button', { name: 'Download' }));
    expect(downloading.suggestedFilename()).toMatch(/coco.*\.zip$/);
    await exported.getByRole('button', { name: 'Report' }).click();
    await page.getByRole('dialog', { name: 'Report' }).waitFor();
    await page.keyboard.press('Escape');
    await exported.getByRole('link', { name: 'small' }).click();
    await page.waitForURL(`**/tasks/${small}`);
    // The list names the deleted task and has no link to it.
    await service.ask('DELETE', `/api/tasks/${small}`);
    await page.goto('/requests');
    await exported.getByText(`Task ${small} (deleted)`).waitFor();
    await expect.poll(() => exported.getByRole('link').count()).toBe(0);
    await page.goto('/tasks');
  });

  it('shows running requests with their progress, and cancels running and pending ones', async () => {
    task = await service.makeTask('large', { images: 2 });
    await fill(task);
    const running = await startExport(task, 'Segmentation mask 1.1');
    const waiting = await startExport(task, 'CVAT for images 1.1');
    await page.getByRole('link', { name: 'Requests' }).click();
    const second = row('CVAT for images 1.1');
    const first = row('Segmentation mask 1.1');
    await first.getByText('Running').waitFor();
    await expect.poll(() => first.getByRole('progressbar').count()).toBe(1);
    await second.getByRole('button', { name: 'Cancel' }).click();
    await first.getByRole('button', { name: 'Cancel' }).click();
    await first.getByText('Failed').waitFor();
    await expect.poll(() => first.textContent()).toMatch(/cancelled/i);
    await expect.poll(() => second.getByText(/Waiting|Running/).count()).toBe(0);
    for (const id of [running, waiting]) {
      const { results } = await service.ask<{ results: { id: string; status: string }[] }>('GET', '/api/requests');
      expect(results.find((one) => one.id === id)?.status ?? 'gone').toMatch(/failed|gone/);
    }
    const { shapes } = await service.annotations('tasks', task);
    expect(shapes).toHaveLength(shapesPerSave * saves);
  });

  it('shows why a request failed', async () => {
    const form = new FormData();
    form.set('annotation_file', new Blob(['no annotations']), 'wrong.json');
    await service.ask('POST', `/api/tasks/${task}/annotations/?format=COCO%201.0`, form);
    const failed = row('Import annotations');
    await failed.getByText('Failed').waitFor();
    await expect.poll(() => failed.textContent()).toMatch(/Cannot read the JSON at byte 0/);
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('button', { name: 'Failed' }).click();
    await page.waitForURL('**/requests?view=Failed**');
    await failed.waitFor();
    await expect.poll(() => row('Done').count()).toBe(0);
    await views.getByRole('button', { name: 'Waiting' }).click();
    await page.getByText('No results for this search and these filters.').waitFor();
    await views.getByRole('button', { name: 'All', exact: true }).click();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});
