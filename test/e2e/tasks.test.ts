import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { chooseFiles } from './support/files.ts';
import { dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, folder: parent, context } = workbench;

const dialog = () => page.getByRole('dialog');

describe('projects, tasks and labels', () => {
  it('edits labels with all kinds of attributes, in rows and as raw JSON', async () => {
    await page.goto('/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Street');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/projects\/\d+/);
    await page.getByPlaceholder('New label name').fill('car');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Attributes of car' }).click();
    for (const [index, kind] of ['Checkbox', 'Radio', 'Number', 'Text', 'Select'].entries()) {
      await page.getByRole('button', { name: 'Add attribute' }).click();
      await page.getByLabel('Attribute name').nth(index).fill(`is ${kind}`);
      await page.getByRole('combobox', { name: 'Input type' }).nth(index).click();
      await page.getByRole('option', { name: kind, exact: true }).click();
    }
    await page.getByText('“car” · “is Radio”: add at least one value.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save labels' }).isDisabled()).toBe(true);
    for (const index of [0, 1]) {
      await page.getByLabel('Values').nth(index).click();
      for (const value of ['one', 'two']) {
        await page.keyboard.type(value);
        await page.keyboard.press('Enter');
      }
    }
    await page.getByRole('button', { name: 'Save labels' }).click();
    await page.getByText('Labels saved.').waitFor();

    await page.getByPlaceholder('New label name').focus();
    for (let stop = 0; stop < 8; stop += 1) await page.keyboard.press('Shift+Tab');
    expect(await page.getByText('Unsaved changes').count()).toBe(0);

    await page.getByRole('tab', { name: 'Raw JSON' }).click();
    const raw = page.getByRole('textbox', { name: 'Raw JSON' });
    const labels = JSON.parse(await raw.inputValue()) as { attributes: { input_type: string }[] }[];
    expect(labels[0]?.attributes.map((attribute) => attribute.input_type)).toEqual([
      'checkbox',
      'radio',
      'number',
      'text',
      'select',
    ]);
    await raw.fill('[{"name": 5}]');
    await page.getByText('[0].name').waitFor();
    await raw.fill(JSON.stringify([...labels, { name: 'person', color: '#112233' }]));
    await page.getByRole('button', { name: 'Save labels' }).click();
    await page.getByRole('tab', { name: 'Constructor' }).click();
    expect(
      await page
        .getByRole('textbox', { name: 'Name', exact: true })
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
    ).toEqual(['car', 'person']);
  });

  it('renders the visible rows of a thousand labels, and saves the last one', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => ({ name: `label ${index}` }));
    const project = await workbench.service.good<{ id: number }>('POST', '/api/projects', {
      json: { name: 'Many', labels: names },
    });
    const many = await context.newPage();
    await many.goto(`/projects/${project.id}?tab=labels`);
    const fields = many.getByRole('textbox', { name: 'Name', exact: true });
    await fields.first().waitFor();
    expect(await fields.count()).toBeLessThan(100);
    const values = (): Promise<string[]> =>
      fields.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    await expect
      .poll(async () => {
        await fields.last().evaluate((field) => field.closest('[style*="overflow"]')?.scrollBy(0, 1e6));
        return values();
      })
      .toContain('label 999');
    await fields.last().fill('the last one');
    await many.getByRole('button', { name: 'Save labels' }).click();
    await many.getByText('Labels saved.').waitFor();
    const { results } = await workbench.service.good<{ results: { name: string }[] }>(
      'GET',
      `/api/labels?project_id=${project.id}&page_size=all`,
    );
    await many.close();
    expect(results.map(({ name }) => name)).toEqual([...names.slice(0, -1).map(({ name }) => name), 'the last one']);
  });

  it('creates a task in the project on whose page a folder is dropped, and names a file that is not an image', async () => {
    const folder = join(parent, 'crossing');
    await writeImages(folder, await makeImages(3));
    writeFileSync(join(folder, 'not-a-picture.jpg'), 'This is a text.');
    writeFileSync(join(folder, 'notes.txt'), 'Left out without a word to the service.');
    await dropFiles(page, [folder]);
    await page.waitForURL(/\/jobs\/\d+/);
    // The file keeps its frame, because the task opened before it was sent.
    await page.getByText('crossing/not-a-picture.jpg is not an image', { exact: false }).first().waitFor();
    await waitFrame(page, 0, 4);
    await page.getByRole('button', { name: '1 car' }).waitFor();
    await page.getByRole('link', { name: 'Back to task' }).click();
    // The workspace, which stays until the task page is loaded, also has a tab "Labels".
    await page.getByRole('tab', { name: 'Labels 2' }).click();
    await page.getByText('The labels belong to the project “Street”.').waitFor();
  });

  it('makes a task from chosen files with its own name, labels and jobs', async () => {
    const folder = join(parent, 'chosen');
    mkdirSync(folder);
    const paths = await writeImages(folder, await makeImages(5));
    await page.goto('/tasks/new');
    await chooseFiles(page.getByRole('button', { name: 'Choose files' }), paths);
    await page.getByText('5 files').waitFor();
    await page.getByLabel('Name', { exact: true }).first().fill('Five pictures');
    await page.getByPlaceholder('New label name').fill('thing');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Advanced settings' }).click();
    await page.getByLabel('Images per job').fill('2');
    await page.getByRole('button', { name: 'Create and open' }).click();
    await page.waitForURL(/\/jobs\/\d+/);
    await waitFrame(page, 0, 2);
    await page.getByRole('button', { name: '1 thing' }).waitFor();
    await page.getByRole('link', { name: 'Back to task' }).click();
    await page.getByRole('tab', { name: 'Jobs 3' }).waitFor();
    await page.getByRole('combobox', { name: 'Stage' }).first().click();
    await page.getByRole('option', { name: 'Acceptance' }).click();
    await page.getByRole('combobox', { name: 'Stage' }).and(page.locator('[value="Acceptance"]')).waitFor();
    await page.getByRole('combobox', { name: 'State' }).first().click();
    await page.getByRole('option', { name: 'Completed' }).click();
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Five pictures' }).getByText('1 of 3 jobs done').waitFor();
  });

  it('opens a folder in place when the desktop shell requests it', async () => {
    const folder = join(parent, 'in place');
    await writeImages(folder, await makeImages(2));
    const page = await context.newPage();
    await page.addInitScript((chosen) => {
      const listeners: ((event: object) => void)[] = [];
      Object.assign(window, {
        desktop: {
          openFolders: () => Promise.resolve([chosen]),
          setLanguage: () => Promise.resolve(),
          setColorScheme: () => Promise.resolve(),
          onEvent: (listener: (event: object) => void) => void listeners.push(listener),
        },
        fromDesktop: (event: object) => listeners.forEach((listener) => listener(event)),
      });
    }, folder);
    const sent: string[] = [];
    page.on('request', (request) => void sent.push(request.headers()['content-type'] ?? ''));
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await page.evaluate(() => {
      const { fromDesktop } = window as unknown as { fromDesktop: (event: object) => void };
      fromDesktop({ type: 'menu', command: 'open-folder' });
    });
    await page.waitForURL(/\/jobs\/\d+/);
    await waitFrame(page, 0, 2);
    expect(sent.filter((type) => type.startsWith('multipart'))).toEqual([]);
    await page.getByRole('link', { name: 'Back to task in place' }).waitFor();
    await page.close();
  });

  it('finds a task by its name and deletes it after a confirmation', async () => {
    await page.goto('/tasks');
    await page.getByPlaceholder('Search by name').fill('five');
    await page.waitForURL(/q=five/);
    const rows = page.getByRole('list').getByRole('listitem');
    await rows.filter({ hasText: 'crossing' }).waitFor({ state: 'detached' });
    await rows.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog().getByText('Deletes “Five pictures”').waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No results for this search and these filters.').waitFor();
  });

  it('asks for a password without a launch link, and continues to the requested page', async () => {
    const { server } = workbench;
    await context.clearCookies();
    await page.goto('/projects');
    await page.getByRole('heading', { name: 'Sign in to Limner' }).waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Unable to log in with provided credentials.').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(server.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  });
});
