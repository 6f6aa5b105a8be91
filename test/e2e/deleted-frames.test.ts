import { describe, expect, it } from 'vitest';
import { answerName, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, jobOf } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 5;
const workbench = await useWorkbench();
const { page, service } = workbench;
await dropNewTask(workbench, 'harbour', count);

const press = async (key: string, frame: number): Promise<void> => {
  await page.keyboard.press(key);
  await waitFrame(page, frame, count);
};
const deleted = async () => (await service.meta('jobs', jobOf(workbench))).deleted_frames;

describe('deleted frames', () => {
  it('are skipped in both directions, and marked at the slider', async () => {
    await press('f', 1);
    await press('Alt+Delete', 2);
    expect(await deleted()).toEqual([1]);
    await press('d', 0);
    await press('f', 2);
    await page.getByTestId('frame-marks').waitFor();
    await press('Shift+End', 4);
    await press('Alt+Delete', 3);
    expect(await deleted()).toEqual([1, 4]);
    await page.keyboard.press('f');
    await press('Shift+Home', 0);
    await press('Shift+End', 3);
  });

  it('can be opened by number, say that they are deleted, and can be restored', async () => {
    const number = page.getByRole('textbox', { name: 'Frame number' });
    await number.fill('4');
    await press('Enter', 4);
    await page.getByText('This frame is deleted').waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    await page.getByText('This frame is deleted').waitFor({ state: 'detached' });
    expect(await deleted()).toEqual([1]);
    await number.fill('1');
    await press('Enter', 1);
    await page.keyboard.press('Alt+Delete');
    await page.getByText('This frame is deleted').waitFor({ state: 'detached' });
    expect(await deleted()).toEqual([]);
  });

  it('are steps of the history: undo restores the frame and keeps the objects', async () => {
    await press('Shift+Home', 0);
    await page.keyboard.press('w');
    await drag(page, [0.2, 0.2], [0.4, 0.5]);
    await answerName(page, 'ship');
    await waitSaved(page);
    await press('Alt+Delete', 1);
    expect(await deleted()).toEqual([0]);
    await press('Control+z', 0);
    await expect.poll(deleted).toEqual([]);
    await page.getByTestId('object').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(deleted).toEqual([0]);
    await page.keyboard.press('Control+z');
    await expect.poll(deleted).toEqual([]);
    await page.keyboard.press('Control+z');
    await page.getByTestId('object').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await press('f', 1);
  });

  it("keep tracks on the other frames: a keyframe's values move to the next frame", async () => {
    await press('Shift+Home', 0);
    await page.keyboard.press('Shift+T');
    await page.keyboard.press('w');
    await drag(page, [0.2, 0.2], [0.4, 0.5]);
    await page.keyboard.press('Escape');
    await waitSaved(page);
    await press('Alt+Delete', 1);
    await page.getByText('Its state moved to frame 1').waitFor();
    await page.getByTestId('object').waitFor();
    await page.getByTestId('keyframe-place').getByText('1 of 1').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await waitFrame(page, 0, count);
    await expect.poll(deleted).toEqual([]);
    await page.keyboard.press('Control+z');
    await page.getByTestId('object').waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+T');
    await press('f', 1);
  });

  it('are shown if the setting is on', async () => {
    await press('Alt+Delete', 2);
    await press('d', 0);
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await page.getByRole('switch', { name: 'Show deleted frames' }).click({ force: true });
    await page.getByTestId('canvas').hover();
    await press('f', 1);
    await page.getByText('This frame is deleted').waitFor();
  });
});
