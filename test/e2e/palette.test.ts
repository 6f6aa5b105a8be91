import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { focusWhenShown } from './support/focus.ts';
import { useWorkbench } from './support/workbench.ts';

const ids = { project: 0, task: 0, job: 0 };
const { page, service } = await useWorkbench();
const labels = [{ name: 'harbour crane', color: '#e0433f' }, { name: 'ship' }];
const project = await service.createProject('Harbour 2026', labels);
ids.project = project.id;
ids.task = await service.makeTask('Harbour, quay 7', { images: 1, project_id: project.id });
await service.makeTask('Market square', { images: 1 });
ids.job = (await service.jobsOf(ids.task))[0] ?? 0;

const search = async (text: string): Promise<void> => {
  // The last one may still be closing.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const isFocused = focusWhenShown(page);
  await page.keyboard.press('Control+K');
  expect(await isFocused).toContain('Tasks, jobs, labels');
  await page.keyboard.type(text);
};

describe('the palette', () => {
  it('finds tasks, jobs, labels and projects by a part of their names, and opens the first by Enter', async () => {
    await page.goto('/requests');
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await search('harb');
    await page.getByText('Harbour, quay 7', { exact: true }).waitFor();
    for (const name of [`Job ${ids.job}`, 'harbour crane', 'Harbour 2026']) {
      await page.locator('[data-action]', { hasText: name }).first().waitFor();
    }
    await expect.poll(() => page.locator('[data-action]', { hasText: 'Market square' }).count()).toBe(0);
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/tasks/${ids.task}`);
  });

  it('finds only labels after #, only commands after >, and says if there are none', async () => {
    await search('#crane');
    await page.locator('[data-action]', { hasText: 'harbour crane' }).waitFor();
    await expect.poll(() => page.locator('[data-action]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/projects/${ids.project}?tab=labels`);

    await search('>requests');
    await expect.poll(() => page.locator('[data-action]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/requests');

    await search('qwxz');
    await page.getByText('No results').waitFor();
    await page.keyboard.press('Escape');
  });

  it('still finds commands if the service does not answer, and says so', async () => {
    await page.route('**/api/labels?*', (route) => route.abort());
    await search('xyzzy');
    await page.getByText(/Cannot search/).waitFor();
    await page.unroute('**/api/labels?*');
    await page.keyboard.press('Escape');
  });
});
