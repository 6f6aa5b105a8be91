import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../preload/contract/schema/resources.ts';
import type { Guide } from '../../preload/contract/schema/review.ts';
import { makeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { downloadBy } from './support/files.ts';
import { dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service, folder } = await useWorkbench();
const project = await service.makeProject('Street');
const task = await service.makeTask('crossing', { images: 3, segment_size: 2 });

const dialog = () => page.getByRole('dialog');
const tab = (name: string) => page.getByRole('tab', { name });
const menu = async (item: string): Promise<void> => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

describe('a new project', () => {
  it('may have the name of another one, with a hint during typing', async () => {
    await page.goto('/projects?create=true');
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Street');
    await dialog().getByText('A project named “Street” already exists.').waitFor();
    await expect.poll(() => dialog().getByRole('button', { name: 'Create' }).isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
  });
});

describe('the page of a task', () => {
  it('keeps unsaved changes of a guide, shows its image, and says that another user saved it in between', async () => {
    await page.goto(`/tasks/${task}`);
    await tab('Guide').click();
    await page.getByRole('button', { name: 'Write guide' }).click();
    const text = page.getByRole('textbox', { name: 'Guide text' });
    await text.fill('# How\n\n');
    await tab('Jobs').click();
    await dialog().getByText('Keep editing', { exact: true }).click();
    const [image] = await makeImages(1);
    const buffer = Buffer.from(image?.bytes ?? []);
    await page.locator('input[type=file]').setInputFiles({ name: 'how.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('region', { name: 'Guide preview' }).getByRole('img', { name: 'how.jpg' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    const { guide_id: id } = await service.ask<Task>('GET', `/api/tasks/${task}`);
    await service.ask('PATCH', `/api/guides/${id}`, { markdown: 'Of somebody else.' });
    await page.getByRole('button', { name: 'Save guide' }).click();
    await page.getByText('Of somebody else.').waitFor();
    await page.getByRole('button', { name: 'Append mine' }).click();
    await page.getByRole('button', { name: 'Save guide' }).click();
    await page.getByRole('button', { name: 'Edit guide' }).waitFor();
    const { markdown } = await service.ask<Guide>('GET', `/api/guides/${id}`);
    expect(markdown).toMatch(/^Of somebody else\.\n\n# How\n\n!\[how\.jpg\]\(\/api\/assets\/[\w-]+\)\n$/);
  });

  it('changes subset and bug tracker in place, and links only to web addresses', async () => {
    await page.goto(`/tasks/${task}`);
    await page.getByRole('button', { name: 'Edit Subset' }).click();
    await page.getByRole('textbox', { name: 'Subset' }).fill('Train');
    await page.keyboard.press('Enter');
    await page.getByTitle('Train').waitFor();
    await page.getByRole('button', { name: 'Edit Bug tracker' }).click();
    const tracker = page.getByRole('textbox', { name: 'Bug tracker' });
    await tracker.fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await page.getByText('Enter an address that starts with http:// or https://').waitFor();
    await tracker.fill('https://example.org/issues/7');
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: 'example.org/issues/7' });
    await expect.poll(() => link.getAttribute('target')).toBe('_blank');
    expect(await service.ask<Task>('GET', `/api/tasks/${task}`)).toMatchObject({
      subset: 'Train',
      bug_tracker: 'https://example.org/issues/7',
    });
  });

  it('moves it into a project, whose page counts it, and out again', async () => {
    await menu('Move to a project');
    await dialog().getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'Street' }).click();
    await dialog().getByRole('cell', { name: 'becomes “thing”' }).waitFor();
    await dialog().getByRole('button', { name: 'Move task' }).click();
    await page.getByRole('link', { name: 'Street' }).first().click();
    await page.waitForURL(new RegExp(`/projects/${project}`));
    await page.getByRole('region', { name: 'Frames by subset' }).getByText('Train').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await tab('Tasks 1').click();
    await page.getByRole('link', { name: /crossing/ }).click();
    await menu('Move to a project');
    await dialog().getByText('No project (remove from “Street”)').click();
    await dialog().getByRole('button', { name: 'Remove from project' }).click();
    await page.getByText('removed from its project').waitFor();
    expect(await service.ask<Task>('GET', `/api/tasks/${task}`)).toMatchObject({ project_id: null });
  });

  it('backs it up, and creates a new one from the archive that is dropped on the window', async () => {
    await menu('Back up');
    const download = await downloadBy(dialog().getByRole('button', { name: 'Back up' }));
    const archive = join(folder, 'crossing.zip');
    await download.saveAs(archive);
    expect(readFileSync(archive).subarray(0, 2).toString()).toBe('PK');
    await dialog().getByText('The file is ready.').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await dropFiles(page, [archive]);
    await page.waitForURL((url) => /^\/tasks\/\d+$/.test(url.pathname) && url.pathname !== `/tasks/${task}`);
    await tab('Jobs 2').waitFor();
    await page.getByRole('heading', { name: 'crossing' }).waitFor();
  });
});

describe('the history', () => {
  it('lists who changed what on the page of a task, and everything in the settings', async () => {
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

    await page.goto('/settings/history');
    await page.getByText('Project harbour deleted').waitFor();
    await page.getByRole('textbox', { name: 'Name or user' }).fill('PIER');
    await page.getByText('Project harbour deleted').waitFor({ state: 'detached' });
    await row.waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Name or user' }).fill('');
    await page.getByText('Project harbour deleted').waitFor();
  });
});

describe('a missing page', () => {
  it.each([
    ['/tasks/999999', 'Open Tasks', '/tasks'],
    ['/projects/999999', 'Open Projects', '/projects'],
    ['/webhooks/999999', 'Open Webhooks', '/webhooks'],
  ])('%s says so and links to its list', async (address, button, list) => {
    await page.goto(address);
    await page.getByText('Not found').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(`**${list}`);
  });
});
