import { describe, expect, it } from 'vitest';
import { makeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 12;
const { page, service } = await useWorkbench();
const task = await service.taskWithImages(
  { name: 'flock', labels: [{ name: 'sheep' }, { name: 'goat' }] },
  await makeImages(count, { text: 'flock' }),
);
const job = (await service.jobs(task.id))[0]?.id ?? 0;
const [sheep = 0, goat = 0] = (await service.labels(task.id)).map(({ id }) => id);
const shapes = Array.from({ length: count }, (_, frame) =>
  [sheep, goat].map((label_id, index) => ({
    type: 'rectangle' as const,
    frame,
    label_id,
    points: [10 + 100 * index, 20, 60 + 100 * index, 90],
  })),
).flat();
await service.changeAnnotations('jobs', job, 'create', { shapes });
await page.goto(`/tasks/${task.id}/jobs/${job}`);
await waitFrame(page, 0, count);

async function stored(): Promise<Readonly<Record<string, number>>> {
  const { shapes } = await service.annotations('jobs', job);
  const found: Record<string, number> = {};
  for (const { type, label_id: label } of shapes) found[`${type} ${label}`] = (found[`${type} ${label}`] ?? 0) + 1;
  return found;
}
const open = async () => {
  await page.keyboard.press('Control+e');
  const dialog = page.getByRole('dialog', { name: 'Bulk edit' });
  await dialog.waitFor();
  return dialog;
};

describe('a bulk edit', () => {
  it('changes the objects in the range, as one step that can be undone at once', async () => {
    const before = await stored();
    const dialog = await open();
    await dialog.getByText('They are on 12 frames.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Convert shapes' }).click();
    await dialog.getByRole('textbox', { name: 'From frame' }).fill('3');
    await dialog.getByRole('textbox', { name: 'To frame' }).fill('6');
    await dialog.getByText('They are on 4 frames.').waitFor();
    await dialog.getByRole('button', { name: 'Convert 8 objects' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Converted 8 objects').first().waitFor();
    await waitSaved(page);
    expect(await stored()).toEqual({ 'rectangle 1': 8, 'rectangle 2': 8, 'polygon 1': 4, 'polygon 2': 4 });
    await page.keyboard.press('Control+z');
    await expect.poll(stored).toEqual(before);
  });

  it('changes the filtered objects, and says if there is nothing to change', async () => {
    await page.keyboard.press('t');
    await page.keyboard.press('f');
    await page.getByText('JSON Logic', { exact: true }).click();
    await page.getByRole('textbox', { name: 'JSON Logic' }).fill('{"==":[{"var":"label"},"sheep"]}');
    await page.keyboard.press('Escape');
    const dialog = await open();
    await dialog.getByText('Objects matching the filter: Current filter.').waitFor();
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Simplify outlines' }).click();
    await dialog.getByText('Nothing to change.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Simplify 0 outlines' }).isDisabled()).toBe(true);
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Delete objects' }).click();
    await dialog.getByRole('button', { name: 'Delete 12 objects' }).waitFor();
    await dialog.getByRole('textbox', { name: 'To frame' }).press('Enter');
    expect(Object.values(await stored()).reduce((sum, count) => sum + count, 0)).toBe(24);
    await dialog.getByRole('button', { name: 'Delete 12 objects' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(stored).toEqual({ 'rectangle 2': 12 });
  });
});
