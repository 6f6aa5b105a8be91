import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { photograph } from './support/photograph.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, pageErrors } = await useWorkbench();

const canSignIn = async (username: string, password: string): Promise<boolean> => {
  const answer = await fetch(new URL('/api/auth/login', page.url()), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return answer.ok;
};

describe('users', () => {
  it('are made, given a role and another password, deactivated and deleted, by an administrator', async () => {
    await page.goto('/settings/users');
    const row = page.getByRole('listitem').filter({ hasText: 'Grete Hahn' });
    const more = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More about Grete Hahn' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const shownPassword = async (): Promise<string> => {
      const shown = page.getByRole('status').filter({ hasText: 'Password of painter' });
      const password = await shown.getByLabel('Password', { exact: true }).innerText();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      return password.trim();
    };

    // Nobody shuts oneself out.
    await page.getByRole('button', { name: 'More about admin' }).click();
    for (const item of ['New password', 'Deactivate']) {
      await expect.poll(() => page.getByRole('menuitem', { name: item }).isDisabled()).toBe(true);
    }
    await page.keyboard.press('Escape');

    // By keys alone: the dialog begins in its first field, Enter sends it.
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

    await more('New password');
    await page.getByRole('dialog').getByRole('button', { name: 'New password' }).click();
    const second = await shownPassword();
    expect(await canSignIn('painter', first)).toBe(false);
    expect(await canSignIn('painter', second)).toBe(true);

    await more('Deactivate');
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('Deactivated', { exact: true }).waitFor();
    expect(await canSignIn('painter', second)).toBe(false);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await photograph(page, 'users');

    await more('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect(pageErrors).toEqual([]);
  });
});
