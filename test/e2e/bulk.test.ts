import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const count = 12;
let workbench: Workbench;
let client: TestClient;
let job = 0;
beforeAll(async () => {
  workbench = await openWorkbench();
  client = createClient(workbench.server.url, workbench.server.authorization);
  const task = await client.taskWithImages(
    { name: 'flock', labels: [{ name: 'sheep' }, { name: 'goat' }] },
    await makeImages(count, { text: 'flock' }),
  );
  job = (await client.jobs(task.id))[0]?.id ?? 0;
  const [sheep = 0, goat = 0] = (await client.labels(task.id)).map(({ id }) => id);
  const shapes = Array.from({ length: count }, (_, frame) =>
    [sheep, goat].map((label_id, index) => ({
      type: 'rectangle' as const,
      frame,
      label_id,
      points: [10 + 100 * index, 20, 60 + 100 * index, 90],
      occluded: false,
      attributes: [],
    })),
  ).flat();
  await client.changeAnnotations('jobs', job, 'create', { version: 0, tags: [], shapes, tracks: [] });
  await workbench.page.goto(`/tasks/${task.id}/jobs/${job}`);
  await waitFrame(workbench.page, 0, count);
});
afterAll(() => workbench?.close());

/** How many there are of each kind and label. */
async function stored(): Promise<Readonly<Record<string, number>>> {
  const { shapes } = await client.annotations('jobs', job);
  const found: Record<string, number> = {};
  for (const { type, label_id: label } of shapes) found[`${type} ${label}`] = (found[`${type} ${label}`] ?? 0) + 1;
  return found;
}
const open = async () => {
  await workbench.page.keyboard.press('Control+e');
  const dialog = workbench.page.getByRole('dialog', { name: 'One action for many frames' });
  await dialog.waitFor();
  return dialog;
};

describe('one action for many frames', () => {
  it('changes what is in the range, as one step that is taken back at once', async () => {
    const { page } = workbench;
    const before = await stored();
    const dialog = await open();
    await dialog.getByText('They are on 12 frames.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Convert to another kind' }).click();
    await dialog.getByRole('textbox', { name: 'From frame' }).fill('3');
    await dialog.getByRole('textbox', { name: 'To frame' }).fill('6');
    await dialog.getByText('They are on 4 frames.').waitFor();
    await dialog.getByRole('button', { name: 'Do it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Converted 8 objects').first().waitFor();
    await waitSaved(page);
    expect(await stored()).toEqual({ 'rectangle 1': 8, 'rectangle 2': 8, 'polygon 1': 4, 'polygon 2': 4 });
    await page.keyboard.press('Control+z');
    await expect.poll(stored).toEqual(before);
  });

  it('changes what passes the filter, and says where there is nothing to change', async () => {
    const { page } = workbench;
    await page.keyboard.press('t');
    await page.keyboard.press('f');
    await page.getByText('JSON Logic', { exact: true }).click();
    await page.getByRole('textbox', { name: 'JSON Logic' }).fill('{"==":[{"var":"label"},"sheep"]}');
    await page.keyboard.press('Escape');
    const dialog = await open();
    await dialog.getByText('Objects that pass: The filter.').waitFor();
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Simplify outlines' }).click();
    await dialog.getByRole('button', { name: 'Do it' }).click();
    await dialog.getByText('There is nothing that this would change.').waitFor();
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Delete objects' }).click();
    await dialog.getByRole('button', { name: 'Do it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(stored).toEqual({ 'rectangle 2': 12 });
  });
});
