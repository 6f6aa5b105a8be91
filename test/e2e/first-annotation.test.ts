import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LabeledData } from '../../preload/contract/schema/annotations.ts';
import { makeImages, writeImages } from '../support/images.ts';
import { answerName, expectSameViews, typeLabel, viewFrames, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { storedIn } from './support/make-task.ts';
import { sharedPhotos } from './support/paths.ts';
import { clickPlaces, drag, dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, folder, kill, restart } = workbench;
/** Uses photographs from beside the repository if there are any, otherwise generated images. */
const pictures = existsSync(sharedPhotos) ? sharedPhotos : join(folder, 'street');
if (pictures !== sharedPhotos) await writeImages(pictures, await makeImages(8, { width: 640, height: 480 }));
const count = readdirSync(pictures).length;
const stored = () => storedIn(workbench);

/** Ignores ids, because redo creates a new object for the service. */
const content = ({ shapes, tags }: LabeledData) => ({
  shapes: shapes.map(({ id: _id, ...shape }) => JSON.stringify(shape)).toSorted(),
  tags: tags.map(({ id: _id, ...tag }) => JSON.stringify(tag)).toSorted(),
});

async function annotate(): Promise<void> {
  await page.keyboard.press('w');
  await drag(page, [0.2, 0.2], [0.45, 0.5]);
  await answerName(page, 'car');
  await page.keyboard.press('Shift+P');
  await clickPlaces(page, [
    [0.55, 0.3],
    [0.75, 0.35],
    [0.7, 0.6],
    [0.5, 0.55],
  ]);
  await page.keyboard.press('n');
  await page.keyboard.press('f');
  await waitFrame(page, 1, count);
  await typeLabel(page, 'person');
  await page.keyboard.press('Shift+L');
  await clickPlaces(page, [
    [0.3, 0.3],
    [0.5, 0.4],
    [0.6, 0.7],
  ]);
  await page.keyboard.press('n');
  await page.keyboard.press('Shift+O');
  await clickPlaces(page, [
    [0.35, 0.6],
    [0.4, 0.65],
  ]);
  await page.keyboard.press('n');
  await page.keyboard.press('f');
  await waitFrame(page, 2, count);
  await page.keyboard.press('1');
  await page.keyboard.press('Shift+E');
  await drag(page, [0.4, 0.4], [0.6, 0.6]);
  await page.keyboard.press('Alt+T');
  await page.getByRole('list', { name: 'Tags' }).getByText('car').waitFor();
}

it('keeps the first annotations through undo, redo, a reload and a killed server', async () => {
  expect(count).toBe(8);
  await dropFiles(page, [pictures]);
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, count);

  await annotate();
  await waitSaved(page);
  const drawn = content(await stored());
  expect(drawn.shapes).toHaveLength(5);
  expect(drawn.tags).toHaveLength(1);
  const before = await viewFrames(page, [0, 1, 2], count);
  expect(before.map((view) => view.objects.length)).toEqual([2, 2, 2]);

  for (let times = 0; times < 5; times += 1) await page.getByTestId('undo').click();
  await waitFrame(page, 0, count);
  await waitSaved(page);
  const undone = await stored();
  expect([undone.shapes.length, undone.tags.length]).toEqual([1, 0]);
  for (let times = 0; times < 5; times += 1) await page.getByTestId('redo').click();
  await waitFrame(page, 2, count);
  await waitSaved(page);
  expect(content(await stored())).toEqual(drawn);
  expectSameViews(await viewFrames(page, [0, 1, 2], count), before);

  await page.reload();
  await waitFrame(page, 2, count);
  expectSameViews(await viewFrames(page, [0, 1, 2], count), before);
  expect(content(await stored())).toEqual(drawn);

  await page.keyboard.press('w');
  await drag(page, [0.15, 0.15], [0.3, 0.3]);
  while ((await stored()).shapes.length < 6);
  await waitSaved(page);
  await kill();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await restart();
  await page.reload();
  await waitFrame(page, 2, count);
  const after = await stored();
  expect(after.shapes).toHaveLength(6);
  expect(
    after.shapes
      .filter((shape) => shape.frame === 2)
      .map((shape) => shape.type)
      .toSorted(),
  ).toEqual(['ellipse', 'rectangle']);
  expectSameViews(await viewFrames(page, [0, 1], count), before.slice(0, 2));
});

it('keeps a box that is dragged over the question for its label while the label is created', async () => {
  await page.goto('/');
  await dropFiles(page, [pictures]);
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, count);
  await page.keyboard.press('w');
  await drag(page, [0.2, 0.2], [0.3, 0.5]);
  await page.keyboard.type('car');
  // A service that takes its time to create the label.
  await page.route('**/api/tasks/*', async (route) => {
    if (route.request().method() === 'PATCH') await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.keyboard.press('Enter');
  // The question is right of the first box.
  await drag(page, [0.4, 0.25], [0.5, 0.4]);
  await page.getByTestId('naming').waitFor({ state: 'detached' });
  await waitSaved(page);
  expect((await stored()).shapes).toHaveLength(2);
});
