import { describe, expect, it } from 'vitest';
import { answerName, typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, storedShapes } from './support/make-task.ts';
import { clickPlaces, drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 2;
const workbench = await useWorkbench();
const { page } = workbench;
await dropNewTask(workbench, 'street', count);

const stored = () => storedShapes(workbench);
const objects = () => page.getByTestId('object');
const batch = () => page.getByTestId('batch');

describe('editing of several objects, and by numbers', () => {
  it('changes label and state of all selected objects, one step of the undo each, kept by a reload', async () => {
    await page.keyboard.press('w');
    await drag(page, [0.1, 0.2], [0.3, 0.4]);
    await answerName(page, 'tree');
    await drag(page, [0.25, 0.3], [0.45, 0.5]);
    await drag(page, [0.6, 0.2], [0.8, 0.4]);
    await typeLabel(page, 'bush');
    await page.keyboard.press('s');
    await page.keyboard.press('Control+a');
    await batch().getByText('3 objects').waitFor();
    await batch().getByRole('textbox', { name: 'Object label' }).fill('bush');
    await page.keyboard.press('Enter');
    await expect.poll(async () => new Set((await stored()).map(({ label_id }) => label_id)).size).toBe(1);
    await objects().filter({ hasText: 'bush' }).nth(2).waitFor();
    await batch().getByRole('checkbox', { name: 'Occluded' }).check();
    await expect.poll(async () => (await stored()).every(({ occluded }) => occluded)).toBe(true);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await objects().filter({ hasText: 'tree' }).nth(2).waitFor();
    await page.keyboard.press('Control+y');
    await objects().filter({ hasText: 'bush' }).nth(2).waitFor();
    await waitSaved(page);
    await page.reload();
    await waitFrame(page, 0, count);
    await objects().filter({ hasText: 'bush' }).nth(2).waitFor();
  });

  it('groups, shows the group, and ungroups', async () => {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('g');
    await expect.poll(() => page.getByTestId('group').allTextContents()).toEqual(['G1', 'G1', 'G1']);
    await expect.poll(async () => (await stored()).map(({ group }) => group)).toEqual([1, 1, 1]);
    await batch().getByRole('button', { name: 'Ungroup' }).click();
    await expect.poll(() => page.getByTestId('group').count()).toBe(0);
  });

  it('accepts coordinates as numbers, and refuses those outside the image', async () => {
    await page.keyboard.press('Escape');
    await objects().first().click();
    await objects().first().getByRole('button', { name: 'Geometry' }).click();
    const field = (name: string) => objects().first().getByRole('textbox', { name, exact: true });
    await field('X').fill('12.5');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored()).some(({ points }) => points[0] === 12.5)).toBe(true);
    await field('Width').fill('9000');
    await page.keyboard.press('Enter');
    await objects().first().getByRole('alert').waitFor();
    expect((await stored()).every(({ points }) => (points[2] ?? 0) <= 640)).toBe(true);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored()).some(({ points }) => points[0] === 12.5)).toBe(false);
  });

  it('converts, joins and simplifies', async () => {
    await page.keyboard.press('Escape');
    await clickPlaces(page, [[0.15, 0.3]]);
    await page.keyboard.down('Shift');
    await clickPlaces(page, [[0.42, 0.45]]);
    await page.keyboard.up('Shift');
    await batch().getByText('2 objects').waitFor();
    await batch().getByRole('button', { name: 'Polygon' }).click();
    await batch().getByRole('button', { name: 'Join into one shape' }).click();
    await expect.poll(() => objects().count()).toBe(2);
    const polygon = async () => (await stored()).find(({ type }) => type === 'polygon')?.points.length;
    expect(await polygon()).toBe(16);
    await page.getByRole('button', { name: 'Simplify' }).click();
    await page.getByText('8 of 8 points remain').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(await polygon()).toBe(16);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(() => objects().count()).toBe(3);
    await page.getByRole('button', { name: /^Redo/ }).click();
    await expect.poll(() => objects().count()).toBe(2);
  });

  it('pastes on another frame at the same place', async () => {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('f');
    await waitFrame(page, 1, count);
    await page.keyboard.press('Control+Shift+V');
    await expect.poll(() => objects().count()).toBe(2);
    const shapes = await stored();
    const of = (frame: number) => shapes.filter((shape) => shape.frame === frame).map(({ points }) => points.join());
    expect(of(1).toSorted()).toEqual(of(0).toSorted());
    await page.waitForURL(/frame=1/);
    await page.reload();
    await waitFrame(page, 1, count);
    await expect.poll(() => objects().count()).toBe(2);
  });
});
