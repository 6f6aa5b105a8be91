import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signIn } from '../support/client.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, folder, context } = workbench;

describe('the backups of the whole workbench', () => {
  it('are created in the settings, optionally encrypted, in a chosen folder', async () => {
    const { server } = workbench;
    await (await signIn(server)).createProject('Streets', [{ name: 'car' }]);
    await page.goto('/settings/appearance');
    await page.getByRole('link', { name: 'Backup' }).click();
    await page.getByText('No backups yet').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'Folder' }).fill(join(folder, 'nowhere'));
    await page.keyboard.press('Enter');
    await page.getByText('The folder does not exist').waitFor();
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    await page.getByRole('textbox', { name: 'Folder' }).fill(backups);
    await page.keyboard.press('Enter');
    await page.getByText(backups).waitFor();

    const onlyNew = page.getByRole('switch', { name: 'Incremental backups' });
    await onlyNew.press('Space');
    await expect.poll(() => onlyNew.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Set passphrase' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Passphrase' }).fill('of the schedule');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove passphrase' }).click();
    await page.getByRole('button', { name: 'Set passphrase' }).waitFor();
    await onlyNew.press('Space');
    await expect.poll(() => onlyNew.isChecked()).toBe(false);

    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByLabel('Passphrase (optional, encrypts the file)').fill('correct horse');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back up', exact: true }).click();
    await page.getByText('read back and compared').waitFor();
    await page.getByRole('cell', { name: 'manual, encrypted' }).waitFor();
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^limner-.*\.limner$/)]);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('are restored after a warning about replaced data; later work is gone, and the user is signed in', async () => {
    const { server } = workbench;
    await (await signIn(server)).createProject('Made later', []);
    await page.getByRole('button', { name: /^Restore limner-/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Replaces all projects, tasks').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Passphrase' }).fill('another horse');
    await dialog.getByRole('button', { name: 'Replace all data' }).click();
    await dialog.getByText('The passphrase is wrong').waitFor();
    await dialog.getByRole('textbox', { name: 'Passphrase' }).fill('correct horse');
    await dialog.getByRole('button', { name: 'Replace all data' }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/settings'));
    await page.goto('/projects');
    await page.getByText('Streets').first().waitFor();
    await expect.poll(() => page.getByText('Made later').count()).toBe(0);
    await page.goto('/settings/backup');
    await page.getByText('The previous data is in').waitFor();
  });

  it('opened with the desktop program ask for confirmation, and never become a task; a browser says what it needs', async () => {
    const { server } = workbench;
    const client = await signIn(server);
    const { count } = await client.good<{ count: number }>('GET', '/api/tasks');
    const backups = join(folder, 'backups');
    const file = join(backups, readdirSync(backups)[0] ?? '');
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await dropFiles(page, [file]);
    await page.getByText('The browser does not share the path of limner-').waitFor();

    const window = await context.newPage();
    await window.addInitScript(() => {
      const listeners: ((event: object) => void)[] = [];
      Object.assign(globalThis, {
        desktop: {
          setLanguage: () => Promise.resolve(),
          setColorScheme: () => Promise.resolve(),
          onEvent: (listener: (event: object) => void) => void listeners.push(listener),
        },
        fromDesktop: (event: object) => listeners.forEach((listener) => listener(event)),
      });
    });
    await window.goto('/tasks');
    await window.getByRole('heading').first().waitFor();
    await window.evaluate((path) => {
      const { fromDesktop } = globalThis as unknown as { fromDesktop: (event: object) => void };
      fromDesktop({ type: 'open-path', path });
    }, file);
    const dialog = window.getByRole('dialog');
    await dialog.getByText('Replaces all projects, tasks').waitFor();
    await expect.poll(() => dialog.getByRole('textbox', { name: 'File' }).inputValue()).toBe(file);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await window.close();
    expect(await client.good('GET', '/api/tasks')).toMatchObject({ count });
  });
});
