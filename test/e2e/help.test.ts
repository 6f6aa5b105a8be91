import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breaches } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service, pageErrors } = await useWorkbench();
const task = await service.makeTask('Harbour', { images: 1 });
const [job] = await service.jobsOf(task);

const requested: string[] = [];
const refused: string[] = [];
page.on('request', (request) => requested.push(new URL(request.url()).hostname));
page.on('console', (message) => {
  if (message.type() === 'error') refused.push(message.text());
});

const frame = page.frameLocator('iframe[title="Help"]');
const heading = (name: string | RegExp) => frame.getByRole('heading', { level: 1, name });

async function keepPicture(name: string): Promise<void> {
  const folder = process.env['LIMNER_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

describe('Help', () => {
  it('opens by F1 at its first page, and by ? at the page of the screen', async () => {
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await page.keyboard.press('F1');
    await heading('Limner Help').waitFor();
    await page.goto('/settings/shortcuts');
    await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
    await page.keyboard.press('?');
    await heading('Keys').waitFor();
    await page.goBack();
    await page.waitForURL('**/settings/shortcuts');
  });

  it('opens from the menu of the workspace, and comes back to the job', async () => {
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Help' }).click();
    await page.waitForURL('**/help?page=*workspace*');
    await page.goBack();
    await page.waitForURL(`**/tasks/${task}/jobs/${job}`);
  });

  it('shows its place, and returns to the screen by Back and by Escape, whatever page was read', async () => {
    for (const leave of [
      () => page.getByRole('button', { name: 'Back' }).click(),
      () => page.keyboard.press('Escape'),
      async () => {
        await heading('Install').click();
        await page.keyboard.press('Escape');
      },
    ]) {
      await page.goto('/settings/appearance');
      await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
      await page.keyboard.press('F1');
      await heading('Limner Help').waitFor();
      await frame.getByRole('link', { name: 'Guide', exact: true }).first().click();
      await page.getByRole('navigation', { name: 'Place in Help' }).getByText('Install').waitFor();
      await leave();
      await page.waitForURL('**/settings/appearance');
    }
  });

  it('leaves the keys of the program to it while a page of Help has the focus', async () => {
    await page.goto('/help?page=guide/import.html');
    await heading('Import annotations').click();
    await page.keyboard.press('Control+K');
    await page.getByPlaceholder(/^Tasks, jobs, labels/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByPlaceholder(/^Tasks, jobs, labels/).waitFor({ state: 'detached' });
    await heading('Import annotations').click();
    await page.keyboard.press('Shift+F1');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/help');
    await frame.getByRole('button', { name: 'Search' }).click();
    await frame.getByRole('searchbox').press('Escape');
    await frame.getByRole('searchbox').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/help');
  });

  it('asks before F1 leaves a form with entries', async () => {
    for (const [address, field] of [
      ['/tasks/new', 'Name'],
      ['/webhooks/new', 'Target URL'],
    ] as const) {
      await page.goto(address);
      await page.getByRole('textbox', { name: field, exact: true }).fill('http://harbour');
      await page.keyboard.press('F1');
      const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      await question.getByText('Keep editing').click();
      expect(await page.getByRole('textbox', { name: field, exact: true }).inputValue()).toBe('http://harbour');
      await page.keyboard.press('F1');
      await question.getByRole('button', { name: 'Discard' }).click();
      await heading('Limner Help').waitFor();
    }
  });

  it('says in German that its pages are in English', async () => {
    await page.evaluate(() => localStorage.setItem('limner.language', 'de'));
    await page.goto('/help');
    await page.getByText('Die Hilfe gibt es nur auf Englisch.').waitFor();
    await page.evaluate(() => localStorage.removeItem('limner.language'));
    await page.goto('/help');
    await heading('Limner Help').waitFor();
    expect(await page.getByText(/English only/).count()).toBe(0);
  });

  it('keeps the list of keys on Shift+F1, and leaves dialogs open', async () => {
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await page.keyboard.press('Shift+F1');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByRole('button').first().focus();
    for (const key of ['F1', '?']) await page.keyboard.press(key);
    expect(new URL(page.url()).pathname).toBe('/tasks');
    expect(await keys.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('is searched from the palette, which opens the page at its heading', async () => {
    for (const words of ['rotated box', 'backup']) {
      await page.goto('/tasks');
      await page.getByRole('heading').first().waitFor();
      await page.keyboard.press('Control+K');
      await page.getByPlaceholder(/^Tasks, jobs, labels/).fill(words);
      const found = page.locator('[data-action]', { hasText: new RegExp(words, 'i') });
      await found.last().waitFor();
      await keepPicture(`palette-${words.replace(' ', '-')}`);
      await found.last().click();
      await page.waitForURL('**/help?page=*');
      await frame.getByRole('main').getByText(new RegExp(words, 'i')).first().waitFor();
    }
  });

  it('finds the words of its pages by its own search', async () => {
    await page.goto('/help');
    for (const words of ['rotated box', 'backup']) {
      await frame.getByRole('button', { name: 'Search' }).click();
      await frame.getByRole('searchbox').fill(words);
      await frame.getByRole('option').first().waitFor();
      await keepPicture(`search-${words.replace(' ', '-')}`);
      await frame.getByRole('option').first().click();
      await frame.getByRole('searchbox').waitFor({ state: 'detached' });
    }
  });

  it('follows the theme of the program, and keeps the rules of accessibility in both', async () => {
    for (const theme of ['Dark', 'Light']) {
      await page.goto('/help?page=reference/formats.html');
      await heading('Formats').waitFor();
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('menuitem', { name: theme }).click();
      await expect.poll(() => frame.locator('html.dark').count()).toBe(theme === 'Dark' ? 1 : 0);
      for (const size of [
        { width: 1280, height: 800 },
        { width: 1920, height: 1080 },
      ]) {
        await page.setViewportSize(size);
        await keepPicture(`help-${size.width}-${theme.toLowerCase()}`);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto('/help/reference/formats.html');
      await page.getByRole('heading', { level: 1, name: 'Formats' }).waitFor();
      expect(await breaches(page)).toEqual([]);
    }
  });

  it('opens only its own pages, whatever the address asks for', async () => {
    for (const address of ['//example.com/', 'https://example.com/a.html', '../api/about', 'guide/../../api.html']) {
      await page.goto(`/help?page=${encodeURIComponent(address)}`);
      await heading('Limner Help').waitFor();
    }
  });

  it('asks for nothing beyond this computer, and breaks no rule of the Content-Security-Policy', () => {
    expect([...new Set(requested)]).toEqual(['127.0.0.1']);
    expect(refused).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});

describe('Help that was not built', () => {
  it('says so, with the command that builds it', async () => {
    await page.route('**/help/pages.json', (route) => route.fulfill({ status: 503, body: 'Help is not built.' }));
    await page.goto('/help');
    await page.getByText('Help is not installed').waitFor();
    await page.getByText(/npm run docs:build/).waitFor();
    expect(await breaches(page)).toEqual([]);
    await page.unroute('**/help/pages.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading('Limner Help').waitFor();
  });
});
