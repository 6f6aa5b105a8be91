import { afterAll, beforeAll, expect, it } from 'vitest';
import { typeLabel, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, jobOf } from './support/make-task.ts';
import { clickPlaces, drag } from './support/pointer.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
beforeAll(async () => {
  workbench = await openWorkbench();
  await dropNewTask(workbench, 'leaf', 1);
  await typeLabel(workbench.page, 'leaf');
});
afterAll(() => workbench?.close());

const types = async (): Promise<readonly string[]> => {
  await waitSaved(workbench.page);
  const answer = await workbench.page.request.get(`/api/jobs/${jobOf(workbench)}/annotations/`);
  return ((await answer.json()) as { shapes: { type: string }[] }).shapes.map(({ type }) => type);
};

it('a polygon and a mask are sliced by a line, and one undo makes each whole again', async () => {
  const { page } = workbench;
  await page.keyboard.press('Shift+p');
  await clickPlaces(page, [
    [0.2, 0.2],
    [0.45, 0.2],
    [0.45, 0.7],
    [0.2, 0.7],
  ]);
  await page.keyboard.press('n');
  await page.keyboard.press('Alt+j');
  await clickPlaces(page, [
    [0.1, 0.4],
    [0.3, 0.5],
  ]);
  await page.keyboard.press('n');
  await page.getByText('The line does not go through from edge to edge').first().waitFor();
  await clickPlaces(page, [[0.52, 0.4]]);
  await page.keyboard.press('n');
  await expect.poll(types).toEqual(['polygon', 'polygon']);
  await page.keyboard.press('Control+z');
  await expect.poll(types).toEqual(['polygon']);

  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Digit1');
  await drag(page, [0.6, 0.5], [0.85, 0.5]);
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Slice a polygon or mask' }).click();
  await clickPlaces(page, [
    [0.72, 0.2],
    [0.72, 0.8],
  ]);
  await page.keyboard.press('Enter');
  await expect.poll(types).toEqual(['polygon', 'mask', 'mask']);
});
