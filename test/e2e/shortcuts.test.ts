import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { typeLabel, waitFrame } from './support/annotate-screen.ts';
import { downloadBy } from './support/files.ts';
import { dropNewTask } from './support/make-task.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, folder, context } = workbench;
await dropNewTask(workbench, 'keys', 4);
const jobAddress = new URL(page.url()).pathname;

const row = (action: string) => page.locator(`[data-action="${action}"]`);
const openSettings = async (): Promise<void> => {
  await page.goto('/settings/shortcuts');
  await row('frame.next').waitFor();
};
const openJob = async (): Promise<void> => {
  await page.goto(jobAddress);
  await waitFrame(page, 0, 4);
};

describe('shortcuts', () => {
  it('are listed by scope, found by name and by key', async () => {
    await openSettings();
    await page.getByRole('region', { name: 'Frames' }).getByText('Next frame').waitFor();
    await page.getByRole('textbox', { name: 'Search actions and keys' }).fill('T L');
    await row('object.lockAll').waitFor();
    await row('frame.next').waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Search actions and keys' }).fill('');
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('are changed by pressing the key; a conflict names the other action and swaps the two', async () => {
    await row('frame.next').getByRole('button', { name: 'Change F of “Next frame”' }).click();
    await page.keyboard.press('d');
    await page.getByText('D is already used by “Previous frame”.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Swap', exact: true }).click();
    await row('frame.previous').getByRole('button', { name: 'Change F of “Previous frame”' }).waitFor();

    await openJob();
    await page.getByRole('button', { name: 'Next frame' }).hover();
    await page.getByRole('tooltip').getByText('D', { exact: true }).waitFor();
    await page.keyboard.press('d');
    await waitFrame(page, 1, 4);
    await page.keyboard.press('f');
    await waitFrame(page, 0, 4);
    await page.keyboard.press('Shift+F1');
    const line = page
      .getByRole('dialog')
      .locator('section div')
      .filter({ hasText: /^Next frame/ });
    await line.getByText('D', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Next frame');
    const found = page.locator('[data-action]', { hasText: 'Next frame' }).first();
    await found.getByText('D', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('take a key from another action, and accept two keys in sequence', async () => {
    await openSettings();
    await row('view.crosshair').getByRole('button', { name: 'Add a key to “Toggle crosshair”' }).click();
    await page.keyboard.press('j');
    await page.getByRole('button', { name: 'Reassign' }).click();
    await row('track.join').getByText('No key').waitFor();
    await row('view.crosshair').getByRole('button', { name: 'Change J of “Toggle crosshair”' }).click();
    await page.keyboard.press('x');
    await page.getByText('This key is free.').waitFor();
    await page.getByRole('button', { name: 'Add a second key' }).click();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByTestId('captured').textContent()).toBe('X Tab');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await row('track.join')
      .getByRole('button', { name: /^Reset/ })
      .click();
    await row('track.join')
      .getByRole('button', { name: /^Change J/ })
      .waitFor();
    await row('view.crosshair').getByRole('button', { name: 'Change X Tab of “Toggle crosshair”' }).waitFor();
  });

  it('apply immediately to an open window', async () => {
    await openJob();
    const other = await context.newPage();
    await other.goto('/settings/shortcuts');
    await other.getByRole('combobox', { name: 'Preset' }).click();
    await other.getByRole('option', { name: 'Design tools' }).click();
    await other.close();
    await page.getByRole('button', { name: 'Select and edit' }).hover();
    await page.getByRole('tooltip').getByText('V', { exact: true }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Rectangle', pressed: true }).waitFor();
    await page.keyboard.press('v');
    await page.getByRole('button', { name: 'Select and edit', pressed: true }).waitFor();
  });

  it('are there for more labels than ten, by name', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `label ${index + 1}`);
    await page.keyboard.press('r');
    for (const name of names) await typeLabel(page, name);
    await page.getByRole('tab', { name: 'Labels' }).click();
    await page.getByRole('button', { name: 'Key for label label 12' }).click();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Add a second key' }).click();
    await page.keyboard.press('l');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.keyboard.press('1');
    await page.getByRole('button', { name: '1 label 1', pressed: true }).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('l');
    await page.getByRole('button', { name: 'X L label 12', pressed: true }).waitFor();
    await openSettings();
    await row('label:label 12').getByRole('button', { name: 'Change X L of “Label “label 12””' }).waitFor();
  });

  it('are exported to a file and imported; an invalid file changes nothing', async () => {
    const download = await downloadBy(page.getByRole('button', { name: 'Export', exact: true }));
    const file = join(folder, 'keys.json');
    await download.saveAs(file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      limner: 'keys',
      preset: 'design',
      keys: { 'view.crosshair': ['KeyX Tab'], 'label:label 12': ['KeyX KeyL'] },
    });
    await page.getByRole('button', { name: 'Reset all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset all' }).click();
    await row('view.crosshair').getByText('No key').waitFor();
    const choose = (name: string, buffer: Buffer) =>
      page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'application/json', buffer });
    await choose('broken.json', Buffer.from('{"limner":"keys"}'));
    await page.getByText('Your keys are unchanged.').waitFor();
    await choose('keys.json', readFileSync(file));
    await row('view.crosshair').getByRole('button', { name: 'Change X Tab of “Toggle crosshair”' }).waitFor();
  });
});
