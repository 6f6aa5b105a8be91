import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { photograph } from './support/photograph.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service, pageErrors } = await useWorkbench();

describe('the history', () => {
  it('says on the page of a task, and of everything in the settings, who has changed what', async () => {
    const id = await service.makeTask('quay', {});
    await service.ask('PATCH', `/api/tasks/${id}`, { name: 'pier', bug_tracker: 'https://example.org/1' });
    const project = await service.makeProject('harbour');
    await service.ask('DELETE', `/api/projects/${project}`);

    await page.goto(`/tasks/${id}?tab=changes`);
    const row = page.getByRole('listitem').filter({ hasText: 'Task pier changed' });
    await row
      .getByText('admin · this minute · name: quay → pier · bug tracker: none → https://example.org/1')
      .waitFor();
    await page.getByText('Task quay created').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await photograph(page, 'history-task');

    await page.goto('/settings/history');
    await page.getByText('Project harbour deleted').waitFor();
    await page.getByRole('textbox', { name: 'Name, or who did it' }).fill('PIER');
    await page.getByText('Project harbour deleted').waitFor({ state: 'detached' });
    await row.waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Name, or who did it' }).fill('');
    await page.getByText('Project harbour deleted').waitFor();
    await photograph(page, 'history-settings');
    expect(pageErrors).toEqual([]);
  });
});
