import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { photograph } from './support/photograph.ts';
import { createService } from './support/service.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const count = 6;
let workbench: Workbench;
let task = 0;
let job = 0;
let car = 0;
beforeAll(async () => {
  workbench = await openWorkbench();
  const service = createService(workbench);
  task = await service.makeTask('yard', {
    images: count,
    labels: [
      {
        name: 'car',
        attributes: [
          { name: 'colour', mutable: false, input_type: 'select', values: ['red', 'blue'], default_value: 'red' },
        ],
      },
      { name: 'person' },
    ],
  });
  job = (await service.jobsOf(task))[0] ?? 0;
  car = (await createClient(workbench.server.url, workbench.server.authorization).labels(task))[0]?.id ?? 0;
});
afterAll(() => workbench?.close());

const dialog = () => workbench.page.getByRole('dialog', { name: 'Statistics: yard' });
const close = async (): Promise<void> => {
  await workbench.page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
};
const barsOf = (title: string) => dialog().getByRole('region', { name: title }).getByRole('listitem').allInnerTexts();
const asText = (bars: readonly string[]) => bars.map((bar) => bar.replaceAll(/\s+/g, ' ').trim());

describe('statistics', () => {
  it('say of a task that nothing is annotated yet', async () => {
    await workbench.page.goto(`/tasks/${task}`);
    await workbench.page.getByRole('button', { name: 'Statistics' }).click();
    await dialog().getByText('Nothing is annotated yet').waitFor();
    await dialog().getByText('6 frames').waitFor();
    await close();
  });

  it('count a task, and are saved as a table', async () => {
    const client = createClient(workbench.server.url, workbench.server.authorization);
    const box = (frame: number, more: object = {}) => ({
      type: 'rectangle',
      label_id: car,
      frame,
      points: [10, 10, 90, 60],
      ...more,
    });
    await client.good('PUT', `/api/jobs/${job}/annotations/`, {
      json: {
        shapes: [box(0), box(0), box(2, { source: 'auto' })],
        tags: [],
        tracks: [{ frame: 3, label_id: car, shapes: [box(3), box(5, { outside: true })] }],
      },
    });
    await workbench.page.getByRole('button', { name: 'Statistics' }).press('Enter');
    await dialog().getByRole('heading', { name: 'Labels' }).waitFor();
    expect(asText(await barsOf('Labels'))).toEqual(['car 4', 'person 0']);
    expect(asText(await barsOf('Frames'))).toEqual(['With objects 4', 'Without objects 2']);
    expect(asText(await barsOf('Sources'))).toEqual(['Drawn 3', 'By a model 1']);
    expect(asText(await barsOf('car: colour'))).toEqual(['red 4']);
    const cells = dialog().getByRole('table', { name: 'Labels and kinds' }).getByRole('row').nth(1);
    expect((await cells.innerText()).split(/\s+/)).toEqual(['car', 'Rectangle', '3', '1', '1', '1']);
    expect(await breachesInBothThemes(workbench.page)).toEqual([]);
    await photograph(workbench.page, 'statistics-task');

    const download = workbench.page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Save as CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('yard-statistics.csv');
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines).toContain('label,car,rectangle,,,3,1,1,1');
    expect(lines).toContain('attribute,car,,colour,red,4,,,');
    await close();
  });

  it('open in the workspace and count what was done there just now', async () => {
    const { page } = workbench;
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, count);
    await page.getByTestId('object').first().click();
    await page.getByTestId('canvas').hover();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Statistics' }).click();
    await dialog().getByRole('heading', { name: 'Labels' }).waitFor();
    expect(asText(await barsOf('Labels'))).toEqual(['car 3', 'person 0']);
    await photograph(workbench.page, 'statistics-job');
    await close();
  });

  it('that take long are stopped and counted again', async () => {
    const { page } = workbench;
    await page.goto(`/tasks/${task}`);
    let go = (): void => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/statistics', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Statistics' }).click();
    await dialog().getByText('Counting …').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().getByText('Counting was stopped. Nothing was changed.').waitFor();
    go();
    await dialog().getByRole('button', { name: 'Count again' }).click();
    await dialog().getByRole('heading', { name: 'Labels' }).waitFor();
    await page.unroute('**/statistics');
    await close();
  });

  it('that cannot be had say why', async () => {
    const { page } = workbench;
    await page.route('**/statistics', (route) => route.fulfill({ status: 500, json: { detail: 'The disk is away.' } }));
    await page.getByRole('button', { name: 'Statistics' }).click();
    await dialog().getByRole('alert').getByText('The disk is away.').waitFor();
    await page.unroute('**/statistics');
    await dialog().getByRole('button', { name: 'Count again' }).click();
    await dialog().getByRole('heading', { name: 'Labels' }).waitFor();
    expect(workbench.pageErrors).toEqual([]);
  });
});
