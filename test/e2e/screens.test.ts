import { describe, expect, it } from 'vitest';
import { breachesInBothThemes, colorsAtRest } from './support/accessibility.ts';
import { answerName, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask } from './support/make-task.ts';
import { misplaced } from './support/misplaced.ts';
import { drag, leaveCanvas } from './support/pointer.ts';
import { followRequests, settled } from './support/settled.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, pageErrors } = workbench;
followRequests(page);
await dropNewTask(workbench, 'meadow', 3);
const annotateAddress = page.url();
await page.keyboard.press('w');
await drag(page, [0.2, 0.2], [0.5, 0.6]);
await answerName(page, 'flower');
await page.keyboard.press('s');
await waitSaved(page);

const openAnnotate = async (): Promise<void> => {
  await page.goto(annotateAddress);
  await waitFrame(page, 0, 3);
  await page.getByTestId('object').first().click();
  await leaveCanvas(page);
};

describe('screens in both themes', () => {
  it('annotate: legible, named, nothing overlapping', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 1920, height: 1080 },
    ]) {
      await page.setViewportSize(viewport);
      await openAnnotate();
      await settled(page);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await colorsAtRest(page);
        expect(await misplaced(page)).toEqual([]);
      }
    }
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('dialogs: export, import, help', async () => {
    await openAnnotate();
    for (const item of ['Export', 'Import annotations', 'Keyboard and help']) {
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('dialog').waitFor();
      await page.locator('[role=menu]').waitFor({ state: 'detached' });
      await settled(page);
      expect(await breachesInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(pageErrors).toEqual([]);
  });
});

describe('something that is not there', () => {
  it.each([
    ['/tasks/999999', 'Open Tasks', '/tasks'],
    ['/projects/999999', 'Open Projects', '/projects'],
    ['/webhooks/999999', 'Open Webhooks', '/webhooks'],
  ])('%s says so and offers its list', async (address, button, list) => {
    await page.goto(address);
    await page.getByText('It is not here').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(`**${list}`);
  });
});
