import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

let invitationLink = '';
let guest: Page;

const workbench = await useWorkbench();
const { page, service, context } = workbench;
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
await service.makeTask('my own photos', { images: 1 });

const contextButton = (window = page) => window.getByRole('button', { name: /^Working in/ });
const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

async function workIn(name: string, window = page): Promise<void> {
  await contextButton(window).click();
  await window.getByRole('menuitem', { name, exact: true }).click();
}
const openOrganization = async (name = 'Harbour survey'): Promise<void> => {
  await page.goto('/organizations');
  await page.getByRole('link', { name }).click();
};

describe('organizations', () => {
  it('are invisible for a single user, and no request names one', async () => {
    const headers: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) headers.push(request.headers()['x-organization']);
    });
    await page.goto('/tasks');
    await page.getByText('my own photos').waitFor();
    await expect.poll(() => contextButton().count()).toBe(0);
    expect(headers.length).toBeGreaterThan(0);
    expect(headers.filter((header) => header !== undefined)).toEqual([]);
  });

  it('are created from the menu, with a short name from the name', async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Organizations' }).click();
    await page.getByText('You do not need one to work alone.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'New organization' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour survey');
    await expect.poll(() => page.getByLabel('Short name').inputValue()).toBe('harbour-survey');
    await page.getByLabel('Short name').fill('har bour');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Use letters, digits, underscores and hyphens only.').waitFor();
    await page.getByLabel('Short name').fill('harbour');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Harbour survey' }).waitFor();
    await page.getByRole('heading', { name: '1 member' }).waitFor();
    await contextButton().getByText('Personal').waitFor();
  });

  it('show their own work when selected, and personal work stays separate', async () => {
    await page.getByRole('button', { name: 'Switch to organization' }).click();
    await contextButton().getByText('harbour').waitFor();
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByText('Drop a folder of images here').waitFor();
    await service.makeTask('quay', { images: 1 }, { 'X-Organization': 'harbour' });
    await page.reload();
    await page.getByText('quay').waitFor();
    await expect.poll(() => page.getByText('my own photos').count()).toBe(0);
    await workIn('Personal');
    await page.getByText('my own photos').waitFor();
    await expect.poll(() => page.getByText('quay').count()).toBe(0);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('invite a user without an account by a link', async () => {
    await openOrganization();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const whom = page.getByRole('combobox', { name: 'Username or email' });
    await whom.fill('nobody here');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('To invite a new user, enter a valid email address.').waitFor();
    await whom.fill('anna@example.org');
    await page.getByRole('radio', { name: 'Maintainer' }).check();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Invitation for anna@example.org').waitFor();
    await page.getByRole('button', { name: 'Copy: Link' }).click();
    invitationLink = await clipboard();
    expect(invitationLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/join\?key=[\w-]{64}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Pending invitations' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('are joined with the link, which creates the account and signs in', async () => {
    guest = await (await workbench.openContext()).newPage();
    await guest.goto(invitationLink);
    expect(await breachesInBothThemes(guest)).toEqual([]);
    await guest.getByLabel('Username').fill('anna.lund');
    await guest.getByLabel('First name').fill('Anna');
    await guest.getByLabel('Password', { exact: true }).fill('a good password');
    await guest.getByLabel('Confirm password').fill('another password');
    await guest.getByText('The passwords do not match.').waitFor();
    await guest.getByLabel('Confirm password').fill('a good password');
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.waitForURL('**/tasks');
    await workIn('Harbour survey', guest);
    await guest.getByText('quay').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '2 members' }).waitFor();
    await page.getByRole('heading', { name: 'Pending invitations' }).waitFor({ state: 'detached' });
  });

  it('give roles, and a maintainer may not change the owner or other maintainers', async () => {
    await guest.goto(page.url());
    await guest.getByRole('heading', { name: '2 members' }).waitFor();
    await expect.poll(() => guest.getByRole('combobox', { name: /^Role of/ }).count()).toBe(0);
    await guest.getByRole('button', { name: 'Invite', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Role of Anna' }).click();
    await page.getByRole('option', { name: 'Worker' }).click();
    await page.getByText('Anna is now worker.').waitFor();
    await guest.reload();
    await guest.getByRole('heading', { name: '2 members' }).waitFor();
    await expect.poll(() => guest.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0);
  });

  it('allow to assign jobs once there are several users', async () => {
    await workIn('Harbour survey');
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('listitem').getByRole('combobox', { name: 'Assignee' }).click();
    await page.getByRole('option', { name: 'Anna' }).click();
    await page
      .getByRole('listitem')
      .getByRole('combobox', { name: 'Assignee' })
      .and(page.locator('[value="Anna"]'))
      .waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await guest.getByRole('link', { name: 'Jobs' }).click();
    await guest.getByRole('listitem').filter({ hasText: 'quay' }).waitFor();
  });

  it('can be left by members, and invite them back by user name at once', async () => {
    await guest.goto('/organizations');
    await guest.getByRole('link', { name: 'Harbour survey' }).click();
    await guest.getByRole('button', { name: 'More' }).click();
    await guest.getByRole('menuitem', { name: 'Leave' }).click();
    await guest.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await guest.getByText('You left “Harbour survey”.').waitFor();
    await contextButton(guest).waitFor({ state: 'detached' });
    await openOrganization();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('combobox', { name: 'Username or email' }).fill('anna.lund');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Anna is now a member.').waitFor();
  });

  it('resend and revoke invitations', async () => {
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('combobox', { name: 'Username or email' }).fill('berta@example.org');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Extend by seven days' }).click();
    await page.getByText('The invitation of berta now expires in seven days.').waitFor();
    await page.getByRole('button', { name: 'Revoke the invitation of berta' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke this invitation' }).click();
    await page.getByRole('heading', { name: 'Pending invitations' }).waitFor({ state: 'detached' });
  });

  it('are edited and deleted, and the screens return to personal work', async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Edit organization' }).click();
    await page.getByLabel('Short name').fill('harbour2');
    await page.getByLabel('Location').fill('Room 2.14');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Room 2.14').waitFor();
    await contextButton().getByText('harbour2').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('“Harbour survey” deleted.').waitFor();
    await contextButton().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByText('my own photos').waitFor();
    await expect.poll(() => page.getByText('quay').count()).toBe(0);
  });
});
