import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, waitSaved } from './support/annotate-screen.ts';
import { chooseFiles } from './support/files.ts';
import { dropNewTask, jobOf, storedIn } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, folder } = workbench;
await dropNewTask(workbench, 'orchard', 2);
const job = jobOf(workbench);
await page.keyboard.press('w');
await drag(page, [0.2, 0.2], [0.4, 0.5]);
await answerName(page, 'apple');
await waitSaved(page);
await drag(page, [0.5, 0.2], [0.7, 0.5]);
await waitSaved(page);

const dialog = () => page.getByRole('dialog');
const news = (text: string) => page.getByRole('alert').filter({ hasText: text });
const section = () => page.getByRole('heading', { name: 'Recent changes' }).locator('..');
const shapes = async () => (await storedIn(workbench, job)).shapes.length;

function cocoFile(image: string): string {
  const file = join(folder, 'fruit.json');
  const annotation = { id: 1, image_id: 1, category_id: 1, bbox: [10, 20, 30, 40], area: 1200, iscrowd: 0 };
  const images = [{ id: 1, file_name: image, width: 640, height: 480 }];
  writeFileSync(file, JSON.stringify({ images, categories: [{ id: 1, name: 'apple' }], annotations: [annotation] }));
  return file;
}

async function replaceBy(file: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Import annotations' }).click();
  await chooseFiles(dialog().getByRole('button', { name: 'Choose a file' }), file);
  await dialog().getByText('Replace').click();
  const start = dialog().getByRole('button', { name: 'Import', exact: true });
  await page.waitForFunction((button) => !(button as HTMLButtonElement | null)?.disabled, await start.elementHandle());
  await start.click();
}

describe('what a person did to all annotations', () => {
  it('is not started if the file has nothing for it, and the dialog says why', async () => {
    await replaceBy(cocoFile('elsewhere.jpg'));
    await dialog().getByText('The import stopped before it replaced anything').waitFor();
    await dialog().getByText('the 2 annotations of the job are unchanged').waitFor();
    expect(await shapes()).toBe(2);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });

  it('can be undone in the workspace right after an import, and is shown at once', async () => {
    await replaceBy(cocoFile('orchard/image-000.jpg'));
    await dialog().getByText('Import completed.').waitFor();
    expect(await shapes()).toBe(1);
    const offer = news('The import of fruit.json replaced 2 annotations');
    await offer.waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: '1 apple' }).waitFor();
    await offer.getByRole('button', { name: 'Undo' }).click();
    await news('Undone. The previous 1 annotation is kept').waitFor();
    expect(await shapes()).toBe(2);
  });

  it('can be undone on the page of the task, after a reload too', async () => {
    await page.getByRole('link', { name: 'Back to task' }).click();
    await page.waitForURL(/\/tasks\/\d+$/);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Clear annotations' }).click();
    await dialog().getByRole('button', { name: 'Clear annotations' }).click();
    await news('2 annotations were cleared').waitFor();
    expect(await shapes()).toBe(0);

    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.reload();
    const row = section().getByRole('listitem').filter({ hasText: '2 annotations were cleared' });
    await row.getByText(/by admin · .* · until /).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await row.getByRole('button', { name: 'Undo: 2 annotations were cleared' }).press('Enter');
    await news('Undone.').waitFor();
    expect(await shapes()).toBe(2);
    await row.waitFor({ state: 'hidden' });
    await section().getByRole('listitem').filter({ hasText: 'Undone.' }).first().waitFor();
  });

  it('can be the deletion of a label with its annotations', async () => {
    await page.getByRole('tab', { name: 'Labels' }).click();
    await page.getByRole('button', { name: 'Delete label apple' }).click();
    await page.getByRole('button', { name: 'Save labels' }).click();
    await dialog().getByRole('button', { name: 'Save labels' }).click();
    const offer = news('Deleted labels: apple, with 2 annotations');
    await offer.waitFor();
    expect(await shapes()).toBe(0);
    await offer.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Delete label apple' }).waitFor();
    expect(await shapes()).toBe(2);
  });
});
