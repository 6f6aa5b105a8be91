import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { downloadBy } from './support/files.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 6;
const { page, service } = await useWorkbench();
const task = await service.makeTask('yard', {
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
const job = (await service.jobsOf(task))[0] ?? 0;
const car = (await service.labels(task))[0]?.id ?? 0;

const dialog = () => page.getByRole('dialog', { name: 'Statistics: yard' });
const close = async (): Promise<void> => {
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
};
const barsOf = (title: string) => dialog().getByRole('region', { name: title }).getByRole('listitem').allInnerTexts();
const asText = (bars: readonly string[]) => bars.map((bar) => bar.replaceAll(/\s+/g, ' ').trim());

describe('statistics', () => {
  it('say that a task has no annotations yet', async () => {
    await page.goto(`/tasks/${task}`);
    await page.getByRole('button', { name: 'Statistics' }).click();
    await dialog().getByText('No annotations yet').waitFor();
    await dialog().getByText('6 frames').waitFor();
    await close();
  });

  it('count a task, and are saved as a table', async () => {
    const box = (frame: number, more: object = {}) => ({
      type: 'rectangle',
      label_id: car,
      frame,
      points: [10, 10, 90, 60],
      ...more,
    });
    await service.good('PUT', `/api/jobs/${job}/annotations/`, {
      json: {
        shapes: [box(0), box(0), box(2, { source: 'auto' })],
        tags: [],
        tracks: [{ frame: 3, label_id: car, shapes: [box(3), box(5, { outside: true })] }],
      },
    });
    await page.getByRole('button', { name: 'Statistics' }).press('Enter');
    await dialog().getByRole('heading', { name: 'Labels' }).waitFor();
    expect(asText(await barsOf('Labels'))).toEqual(['car 4', 'person 0']);
    expect(asText(await barsOf('Frames'))).toEqual(['With objects 4', 'Without objects 2']);
    expect(asText(await barsOf('Sources'))).toEqual(['Drawn 3', 'By a model 1']);
    expect(asText(await barsOf('car: colour'))).toEqual(['red 4']);
    const cells = dialog().getByRole('table', { name: 'Labels and types' }).getByRole('row').nth(1);
    expect((await cells.innerText()).split(/\s+/)).toEqual(['car', 'Rectangle', '3', '1', '1', '1']);
    expect(await breachesInBothThemes(page)).toEqual([]);

    const file = await downloadBy(dialog().getByRole('button', { name: 'Save as CSV' }));
    expect(file.suggestedFilename()).toBe('yard-statistics.csv');
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines).toContain('label,car,rectangle,,,3,1,1,1');
    expect(lines).toContain('attribute,car,,colour,red,4,,,');
    await close();
  });

  it('open in the workspace and include unsaved work', async () => {
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, count);
    await page.getByTestId('object').first().click();
    await page.getByTestId('canvas').hover();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Statistics' }).click();
    await dialog().getByRole('heading', { name: 'Labels' }).waitFor();
    expect(asText(await barsOf('Labels'))).toEqual(['car 3', 'person 0']);
    await close();
  });

  it('that are slow can be stopped and counted again', async () => {
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
    await dialog().getByText('Counting…').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().getByText('Counting stopped. Nothing was changed.').waitFor();
    go();
    await dialog().getByRole('button', { name: 'Count again' }).click();
    await dialog().getByRole('heading', { name: 'Labels' }).waitFor();
    await page.unroute('**/statistics');
    await close();
  });

  it('that are not available say why', async () => {
    await page.route('**/statistics', (route) => route.fulfill({ status: 500, json: { detail: 'The disk is away.' } }));
    await page.getByRole('button', { name: 'Statistics' }).click();
    await dialog().getByRole('alert').getByText('The disk is away.').waitFor();
    await page.unroute('**/statistics');
    await dialog().getByRole('button', { name: 'Count again' }).click();
    await dialog().getByRole('heading', { name: 'Labels' }).waitFor();
  });
});
