import { describe, expect, it } from 'vitest';
import { breaches } from './support/accessibility.ts';
import { typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 30;
const workbench = await useWorkbench();
const { page } = workbench;
await dropNewTask(workbench, 'quay', count);

const strip = () => page.getByRole('listbox', { name: 'Frames of the job' });
const option = (frame: number, more = '') =>
  strip().getByRole('option', { name: new RegExp(`^Frame ${frame}, .*${more}$`) });

/** Waits until the thumbnail exists and is decoded. */
const waitPicture = (frame: number): Promise<unknown> =>
  page.waitForFunction(
    (at) => (document.querySelector<HTMLImageElement>(`[data-frame="${at}"] img`)?.naturalWidth ?? 0) > 0,
    frame,
  );

describe('the strip of frames', () => {
  it('opens by its key, and shows only frames near the current one', async () => {
    await page.keyboard.press('Alt+s');
    await option(0).and(page.locator('[aria-selected="true"]')).waitFor();
    await waitPicture(0);
    await waitPicture(5);
    await expect.poll(() => option(25).count()).toBe(0);
    await page.keyboard.press('Shift+End');
    await waitFrame(page, 29, count);
    await waitPicture(29);
    await expect.poll(() => option(0).count()).toBe(0);
    await page.keyboard.press('Shift+Home');
    await waitFrame(page, 0, count);
  });

  it('opens a frame by the pointer and by keys', async () => {
    await option(3).click();
    await waitFrame(page, 3, count);
    await strip().focus();
    await page.keyboard.press('ArrowRight');
    await waitFrame(page, 4, count);
    await page.keyboard.press('PageDown');
    await waitFrame(page, 12, count);
    await page.keyboard.press('End');
    await waitFrame(page, 29, count);
    await page.keyboard.press('Home');
    await waitFrame(page, 0, count);
    await page.keyboard.press('ArrowLeft');
    await waitFrame(page, 0, count);
  });

  it('marks frames with objects, and deleted ones, which its menu restores', async () => {
    await typeLabel(page, 'crane');
    await page.keyboard.press('w');
    await drag(page, [0.4, 0.4], [0.6, 0.6]);
    await waitSaved(page);
    await page.keyboard.press('f');
    await waitFrame(page, 1, count);
    await option(0, '1 object').waitFor();
    await option(2).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete frame' }).click();
    await option(2, 'deleted').waitFor();
    await strip().focus();
    await page.keyboard.press('ArrowRight');
    await waitFrame(page, 2, count);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Restore frame' }).click();
    await page.getByText('This frame is deleted').waitFor({ state: 'detached' });
    await expect.poll(() => option(2, 'deleted').count()).toBe(0);
  });

  it('has no accessibility faults, stays open through a reload, and closes', async () => {
    expect(await breaches(page)).toEqual([]);
    await page.reload();
    await waitPicture(2);
    await page.keyboard.press('Alt+s');
    await strip().waitFor({ state: 'detached' });
  });
});
