import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { useWorkbench } from './support/workbench.ts';

const labelCount = 300;
const objectCount = 1200;
const { page, service } = await useWorkbench();
const names = Array.from({ length: labelCount }, (_, index) => ({ name: `label ${String(index).padStart(3, '0')}` }));
const task = await service.makeTask('yard', { images: 2, labels: names });
const job = (await service.jobsOf(task))[0] ?? 0;
const labels = await service.labels(task);
const shapes = Array.from({ length: objectCount }, (_, index) => ({
  type: 'rectangle',
  label_id: labels[index % labelCount]?.id,
  frame: 0,
  z_order: index % 3,
  points: [index % 60, 5, (index % 60) + 20, 30],
  ...(index === 7 ? { source: 'auto', score: 0.61, occluded: true, group: 2 } : {}),
}));
const tracks = [
  { frame: 0, label_id: labels[0]?.id, shapes: [{ type: 'rectangle', frame: 0, points: [5, 5, 30, 30] }] },
];
await service.good('PUT', `/api/jobs/${job}/annotations/`, { json: { shapes, tags: [], tracks } });
await page.goto(`/tasks/${task}/jobs/${job}`);
await waitFrame(page, 0, 2);

const rows = () => page.getByTestId('object');
const tab = (name: string) => page.getByRole('tab', { name });
const search = () => page.getByRole('textbox', { name: 'Search objects' });
const groupBy = async (name: string): Promise<void> => {
  await page.getByRole('combobox', { name: 'Group by' }).click();
  await page.getByRole('option', { name, exact: true }).click();
};
const heads = () => page.getByTestId('group-head').allInnerTexts();

describe('the list of objects', () => {
  it('finds objects by label, score and mark, and says when none matches', async () => {
    await rows().first().waitFor();
    await expect.poll(() => rows().count()).toBeLessThan(60);
    await search().fill('label 007 0.5..0.7 occluded');
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByTestId('score').getByText('0.61').waitFor();
    await page.getByTestId('source').getByLabel('By a model').waitFor();
    await search().fill('label 007 bus');
    await page.getByText('No object on this frame matches “label 007 bus”.').waitFor();
    await search().press('Escape');
    await expect.poll(() => rows().count()).toBeGreaterThan(5);
  });

  it('groups them by label, layer, kind and group', async () => {
    await groupBy('Layer');
    await expect.poll(async () => (await heads())[0]?.replaceAll(/\s+/g, ' ')).toBe('Layer 2 400');
    await groupBy('Type');
    await expect.poll(async () => (await heads())[0]?.replaceAll(/\s+/g, ' ')).toBe('Tracks 1');
    await groupBy('Group');
    await expect.poll(async () => (await heads()).length).toBe(2);
    await groupBy('Label');
    await expect.poll(async () => (await heads())[0]?.replaceAll(/\s+/g, ' ')).toBe('label 000 5');
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('is navigated by keys', async () => {
    const list = page.getByRole('region', { name: 'Objects' });
    await list.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const selected = page.locator('[data-testid="object"][data-selected]');
    await expect.poll(() => selected.count()).toBe(1);
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => selected.count()).toBe(2);
    await page.keyboard.press('End');
    await selected.getByTitle('label 299').waitFor();
    await page.keyboard.press('Home');
    await selected.getByTitle('label 000').waitFor();
    await groupBy('Not grouped');
  });
});

describe('the list of labels', () => {
  it('renders only visible rows, and follows edits', async () => {
    await search().fill('label 003');
    await expect.poll(() => rows().count()).toBe(4);
    await rows().first().click();
    await tab('Labels').click();
    const labelRows = page.getByTestId('label-row');
    await labelRows.first().waitFor();
    await expect.poll(() => labelRows.count()).toBeLessThan(60);
    const third = labelRows.filter({ hasText: 'label 003' });
    await third.getByTitle('On this frame').getByText('4').waitFor();
    await page.getByTestId('canvas').hover();
    await page.keyboard.press('Delete');
    await third.getByTitle('On this frame').getByText('3').waitFor();
    await page.keyboard.press('Control+z');
    await third.getByTitle('On this frame').getByText('4').waitFor();
    await third.getByRole('button', { name: 'Hide all label 003' }).click();
    await third.getByRole('button', { name: 'Show all label 003' }).click();
    await waitSaved(page);
  });
});
