import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../support/zip-entries.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { chooseFiles, downloadBy } from './support/files.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, folder, context } = workbench;
await context.grantPermissions(['clipboard-read', 'clipboard-write']);

const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const statusWith = async (token: string, method = 'GET'): Promise<number> => {
  const init = { method, headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' } };
  const body = method === 'GET' ? {} : { body: JSON.stringify({ name: 'Made by a program' }) };
  return (await fetch(`${workbench.server.url}/api/projects`, { ...init, ...body })).status;
};

const canSignIn = async (username: string, password: string): Promise<boolean> => {
  const answer = await fetch(new URL('/api/auth/login', page.url()), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return answer.ok;
};

describe('users', () => {
  it('are created, get a role and another password, and are deactivated and deleted by an administrator', async () => {
    await page.goto('/settings/users');
    const row = page.getByRole('listitem').filter({ hasText: 'Grete Hahn' });
    const more = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More actions for Grete Hahn' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const shownPassword = async (): Promise<string> => {
      const shown = page.getByRole('status').filter({ hasText: 'Password of painter' });
      const password = await shown.getByLabel('Password', { exact: true }).innerText();
      await page.getByRole('button', { name: 'Done' }).click();
      return password.trim();
    };

    await page.getByRole('button', { name: 'More actions for admin' }).click();
    for (const item of ['Reset password', 'Deactivate']) {
      await expect.poll(() => page.getByRole('menuitem', { name: item }).isDisabled()).toBe(true);
    }
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'New user' }).press('Enter');
    await page.getByRole('dialog', { name: 'New user' }).waitFor();
    await page.keyboard.type('painter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Grete');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Hahn');
    await page.keyboard.press('Enter');
    const first = await shownPassword();
    expect(await canSignIn('painter', first)).toBe(true);

    await row.getByRole('combobox', { name: 'Role of Grete Hahn' }).click();
    await page.getByRole('option', { name: 'Worker' }).click();
    const roleIsStored = async () =>
      ((await (await page.request.get('/api/users?username=painter')).json()) as { results: { groups: string[] }[] })
        .results[0]?.groups;
    await expect.poll(roleIsStored).toEqual(['worker']);

    await more('Reset password');
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    const second = await shownPassword();
    expect(await canSignIn('painter', first)).toBe(false);
    expect(await canSignIn('painter', second)).toBe(true);

    await more('Deactivate');
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('Deactivated', { exact: true }).waitFor();
    expect(await canSignIn('painter', second)).toBe(false);
    expect(await breachesInBothThemes(page)).toEqual([]);

    await more('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });
});

describe('the log', () => {
  it('can be read, filtered and inspected in the settings, and saved as a report', async () => {
    await page.goto('/settings/log');
    const line = page.getByRole('listitem').filter({ hasText: 'Ready' });
    await line.locator('summary').click();
    await line.getByText('"url": "http://127.0.0.1').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Text or request ID' }).fill('no such line');
    await page.getByText('No matching entries.').waitFor();

    await page.getByRole('button', { name: 'Save report…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Diagnostic report' });
    await dialog.getByText('logs/limner.log').waitFor();
    await dialog.getByText('"system": ').waitFor();
    const download = await downloadBy(dialog.getByRole('link', { name: 'Save' }));
    expect(download.suggestedFilename()).toMatch(/^limner-report-[\d-]+\.zip$/);
    expect(Object.keys(await entriesOf(readFileSync(await download.path())))).toEqual([
      'about.json',
      'logs/limner.log',
    ]);
  });
});

describe('settings', () => {
  it('are reached from the menu, and the selected theme is saved', async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.waitForURL('**/settings/appearance');
    await page.getByRole('radiogroup', { name: 'Theme' }).locator('label').filter({ hasText: 'Dark' }).click();
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    expect(await scheme()).toBe('dark');
    await page.reload();
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    expect(await scheme()).toBe('dark');
    await page.getByRole('radiogroup', { name: 'Theme' }).locator('label').filter({ hasText: 'system' }).click();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('make a read-only access token whose value is shown once, works as the lines say, and ends when it is revoked', async () => {
    const { server } = workbench;
    await page.goto('/settings/api-access');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('nightly export');
    await page.keyboard.press('Enter');
    await page.getByText('Token “nightly export” created').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const token = await clipboard();
    expect(await statusWith(token)).toBe(200);
    expect(await statusWith(token, 'POST')).toBe(403);

    await page.getByRole('button', { name: 'Copy: Sign in' }).click();
    expect(await clipboard()).toBe(`export CVAT_ACCESS_TOKEN='${token}'`);
    await page.getByRole('button', { name: 'Copy: Use' }).click();
    expect(await clipboard()).toContain(`cvat-cli --server-host ${server.url} task ls`);
    await page.getByRole('radiogroup', { name: 'Tool' }).getByText('Python SDK').click();
    await page.getByRole('button', { name: 'Copy: Use' }).click();
    expect(await clipboard()).toContain(`make_client("${server.url}", access_token=os.environ["CVAT_ACCESS_TOKEN"])`);
    expect(await breachesInBothThemes(page)).toEqual([]);

    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'nightly export' });
    await row.getByText('Read-only').waitFor();
    await expect.poll(() => page.getByText(token).count()).toBe(0);
    await row.getByRole('button', { name: 'Revoke nightly export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“nightly export” revoked.').waitFor();
    await page.getByText('No access tokens yet').waitFor();
    expect(await statusWith(token)).toBe(401);
  });

  it('create a token with write permission that expires', async () => {
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('importer');
    await page.getByRole('radio', { name: 'Read and write' }).check();
    await page.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'Custom date' }).click();
    const create = page.getByRole('button', { name: 'Create' });
    await page.getByLabel('Expiration date').fill('2020-01-01');
    await page.getByText('Choose a date in the future.').waitFor();
    await expect.poll(() => create.isDisabled()).toBe(true);
    await page.getByLabel('Expiration date').fill('2099-12-31');
    await create.click();
    await page.getByRole('row').filter({ hasText: 'importer' }).getByText('2099').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    expect(await statusWith(await clipboard(), 'POST')).toBe(201);
  });

  it('limit functions and webhook addresses, and are copied between computers as a file', async () => {
    await page.goto('/settings/functions');
    const memory = page.getByRole('textbox', { name: 'Memory', exact: true });
    await memory.fill('2048');
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Network' }).click();
    const privateNetworks = page.getByRole('switch', { name: 'Private networks' });
    await privateNetworks.press('Space');
    await expect.poll(() => privateNetworks.isChecked()).toBe(true);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Settings file' }).click();
    expect(await breachesInBothThemes(page)).toEqual([]);
    const saved = await downloadBy(page.getByRole('button', { name: 'Export' }));
    const file = join(folder, 'limner-settings.json');
    await saved.saveAs(file);
    const values = JSON.parse(readFileSync(file, 'utf8')) as { computer: object };
    expect(values).toMatchObject({
      computer: { function_memory_mib: 2048, function_cpu_cores: null },
      webhooks: { allow_private_networks: true },
    });

    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('All settings reset.').waitFor();
    const choose = async (name: string, content: object): Promise<void> => {
      const buffer = Buffer.from(JSON.stringify(content));
      await chooseFiles(page.getByRole('button', { name: 'Choose file' }), {
        name,
        mimeType: 'application/json',
        buffer,
      });
    };
    await choose('keys.json', { keys: [] });
    await page.getByText(/Cannot import keys\.json: it is not a settings file .* Nothing was changed\./).waitFor();
    await choose('wrong.json', { ...values, backup: { folder: join(folder, 'nowhere') } });
    await page.getByText(/Cannot change the settings: .*does not exist/).waitFor();
    await page.getByRole('link', { name: 'Functions' }).click();
    await expect.poll(() => memory.inputValue()).toBe('');
    await page.getByRole('link', { name: 'Settings file' }).click();
    await choose('mine.json', values);
    await page.getByText('Settings imported from mine.json.').waitFor();
    await page.getByRole('link', { name: 'Functions' }).click();
    await expect.poll(() => memory.inputValue()).toBe('2048 MiB');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'Network' }).click();
    await expect.poll(() => privateNetworks.isChecked()).toBe(true);
  });

  it('change names and password, and show errors beside the field', async () => {
    const { server } = workbench;
    await page.goto('/settings/account');
    await page.getByLabel('Username').fill('no spaces');
    await page.getByLabel('First name').fill('Ada');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Use letters, digits and @ . + - _ only.').waitFor();
    await page.getByLabel('Username').fill('owner');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Account saved.').waitFor();

    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password', { exact: true }).fill('another password');
    await page.getByLabel('Confirm new password').fill('another password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your old password was entered incorrectly').waitFor();
    await page.getByLabel('Current password').fill(server.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();
    const signIn = (password: string) =>
      fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ username: 'owner', password }),
      });
    expect((await signIn('another password')).status).toBe(200);
    expect((await signIn(server.password)).status).toBe(400);

    await page.getByRole('checkbox', { name: 'I have no password' }).check();
    await page.getByLabel('New password', { exact: true }).fill('a third password');
    await page.getByLabel('Confirm new password').fill('a third password');
    await Promise.all([
      page.waitForResponse('**/api/auth/login'),
      page.getByRole('button', { name: 'Change password' }).click(),
    ]);
    expect((await signIn('a third password')).status).toBe(200);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('show the version and the licences of all packages', async () => {
    await page.goto('/settings/about');
    await page.getByText(/^\d+\.\d+\.\d+$/).waitFor();
    await page.getByRole('button', { name: 'Show licenses' }).click();
    await page.getByLabel('Search packages').fill('zod');
    await page.getByText(/^zod \d/).click();
    await page.locator('details[open] pre').getByText('Permission is hereby granted').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});

describe('the check for updates', () => {
  it('asks the address of the settings, and only when the user chooses it', async () => {
    let asked = 0;
    const release = { tag_name: 'v99.1.0', html_url: 'https://example.org/releases/v99.1.0' };
    const server = createServer((_request, answer) => {
      asked += 1;
      answer.end(JSON.stringify(release));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await page.goto('/settings/about');
      const check = page.getByRole('button', { name: 'Check for updates' });
      await check.waitFor();
      expect(await check.isDisabled()).toBe(true);
      const address = page.getByLabel('Release address');
      const save = async (url: string): Promise<void> => {
        await address.fill(url);
        await address.press('Enter');
      };
      await save('http://192.0.2.1/latest');
      await page.getByText('Enter an address that begins with https://').waitFor();
      await save(`http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`);
      await expect.poll(() => check.isEnabled()).toBe(true);
      expect(asked).toBe(0);
      await check.click();
      await page.getByText('Limner 99.1.0 is available.').waitFor();
      expect(await page.getByRole('link', { name: 'Open release page' }).getAttribute('href')).toBe(release.html_url);
      expect(asked).toBe(1);
      expect(await breachesInBothThemes(page)).toEqual([]);
      await save('');
      await expect.poll(() => check.isDisabled()).toBe(true);
    } finally {
      server.close();
    }
  });
});

describe('the language', () => {
  it('is selected in the settings, for now and the next start, with its numbers and dates', async () => {
    await page.goto('/settings/language');
    await page.getByText('1,234.5 px').waitFor();
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Sprache' }).waitFor();
    await page.getByText('1.234,5 px').waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await page.reload();
    await page.getByRole('heading', { name: 'Sprache' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});
