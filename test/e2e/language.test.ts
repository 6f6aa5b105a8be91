import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, pageErrors } = await useWorkbench();

describe('the language', () => {
  it('is chosen in the settings, at once and for the next start, with its numbers and dates', async () => {
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
    expect(pageErrors).toEqual([]);
  });
});
