import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../support/zip-entries.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { photograph } from './support/photograph.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, pageErrors } = await useWorkbench();

describe('the log', () => {
  it('is read, narrowed down and looked into in the settings, and saved as a report', async () => {
    await page.goto('/settings/log');
    const line = page.getByRole('listitem').filter({ hasText: 'Ready' });
    await line.locator('summary').click();
    await line.getByText('"url": "http://127.0.0.1').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await photograph(page, 'log-settings');
    await page.getByRole('textbox', { name: 'A part of a line' }).fill('no such line');
    await page.getByText('No line like that.').waitFor();

    await page.getByRole('button', { name: 'Save a report…' }).click();
    const dialog = page.getByRole('dialog', { name: 'A report for somebody who helps' });
    await dialog.getByText('logs/limner.log').waitFor();
    await dialog.getByText('"system": ').waitFor();
    await photograph(page, 'log-report');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Save' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^limner-report-[\d-]+\.zip$/);
    expect(Object.keys(await entriesOf(readFileSync(await download.path())))).toEqual([
      'about.json',
      'logs/limner.log',
    ]);
    expect(pageErrors).toEqual([]);
  });
});
