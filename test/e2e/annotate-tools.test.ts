import { describe, expect, it } from 'vitest';
import type { Shape } from '../../preload/contract/schema/annotations.ts';
import { answerName, goToFrame, typeLabel, waitFrame } from './support/annotate-screen.ts';
import { dropNewTask, jobOf, storedShapes, taskOf } from './support/make-task.ts';
import { canvasBox, clickPlaces, drag, type Place } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 25;
const workbench = await useWorkbench();
const { page, service } = workbench;
await dropNewTask(workbench, 'garden', count);

const stored = () => storedShapes(workbench);
const objects = () => page.getByTestId('object');
const middle = (shape: Shape): [number, number] => {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
  return [(x1 + x2) / 2, (y1 + y2) / 2];
};

async function select(at: Place): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await clickPlaces(page, [at]);
  await page.locator('[data-testid="object"][data-selected]').waitFor();
}

describe('tools and keys of the annotation screen', () => {
  it('stays in the drawing tool, and also draws a box by two clicks', async () => {
    await page.keyboard.press('w');
    await drag(page, [0.1, 0.2], [0.3, 0.5]);
    await answerName(page, 'tree');
    await clickPlaces(page, [
      [0.6, 0.2],
      [0.8, 0.5],
    ]);
    await expect.poll(() => objects().count()).toBe(2);
    expect((await stored()).map((shape) => shape.type)).toEqual(['rectangle', 'rectangle']);
  });

  it('gives labels by number keys: alone for the next shape, with Ctrl for the selected one', async () => {
    await typeLabel(page, 'bush');
    await page.keyboard.press('1');
    await page.getByRole('button', { name: '1 tree', pressed: true }).waitFor();
    await select([0.2, 0.35]);
    await page.keyboard.press('2');
    await page.getByRole('button', { name: '2 bush', pressed: true }).waitFor();
    expect(new Set((await stored()).map((shape) => shape.label_id)).size).toBe(1);
    await page.keyboard.press('Control+2');
    await objects().filter({ hasText: 'bush' }).waitFor();
    const shapes = await stored();
    expect(new Set(shapes.map((shape) => shape.label_id)).size).toBe(2);
    await page.keyboard.press('Control+z');
    await objects().filter({ hasText: 'bush' }).waitFor({ state: 'detached' });
  });

  it('moves, resizes and nudges, and the object keeps its id', async () => {
    const [before] = await stored();
    if (before === undefined) throw new Error('A shape is expected.');
    await select([0.2, 0.35]);
    await drag(page, [0.2, 0.35], [0.25, 0.45]);
    const [moved] = await stored();
    expect(moved?.id).toBe(before.id);
    expect(middle(moved ?? before)[0]).toBeGreaterThan(middle(before)[0]);
    await page.keyboard.press('ArrowRight');
    const [nudged] = await stored();
    expect((nudged?.points[0] ?? 0) - (moved?.points[0] ?? 0)).toBeCloseTo(1, 1);
    await page.keyboard.press('q');
    expect((await stored())[0]?.occluded).toBe(true);
  });

  it('locks, hides and deletes from the list', async () => {
    const first = objects().first();
    const total = await objects().count();
    await first.click();
    await first.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.keyboard.press('Delete');
    await page.getByText('Cannot delete locked objects').waitFor();
    await first.getByRole('button', { name: 'Unlock', exact: true }).click();
    await first.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.locator('[data-testid="object"][data-hidden]').waitFor();
    await first.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => objects().count()).toBe(total - 1);
    expect(await stored()).toHaveLength(total - 1);
  });

  it('saves attributes of all five kinds', async () => {
    const attribute = (name: string, input_type: string, values: string[], default_value: string) => ({
      name,
      input_type,
      values,
      default_value,
      mutable: false,
    });
    const attributes = [
      attribute('sick', 'checkbox', ['false', 'true'], 'false'),
      attribute('season', 'radio', ['summer', 'winter'], 'summer'),
      attribute('age', 'number', ['0', '100', '5'], '10'),
      attribute('note', 'text', [], ''),
      attribute('kind', 'select', ['oak', 'beech'], 'oak'),
    ];
    const labels = [{ name: 'plant', attributes }];
    await service.ask('PATCH', `/api/tasks/${taskOf(workbench)}`, { labels });
    await page.goto(new URL('?frame=3', page.url()).href);
    await waitFrame(page, 3, count);
    await typeLabel(page, 'plant');
    await page.keyboard.press('w');
    await drag(page, [0.2, 0.2], [0.5, 0.6]);
    await page.keyboard.press('s');
    const card = objects().first();
    await card.getByRole('checkbox', { name: 'sick' }).check();
    await card.getByRole('radio', { name: 'winter' }).check();
    await card.getByRole('textbox', { name: 'age' }).fill('35');
    await card.getByRole('textbox', { name: 'note' }).fill('by the gate');
    await page.keyboard.press('Enter');
    await card.getByRole('combobox', { name: 'kind' }).click();
    await page.getByRole('option', { name: 'beech' }).click();
    await expect
      .poll(async () => {
        const shape = (await stored()).find((one) => one.frame === 3);
        return shape?.attributes.toSorted((a, b) => a.spec_id - b.spec_id).map((item) => item.value);
      })
      .toEqual(['true', 'winter', '35', 'by the gate', 'beech']);
    await page.reload();
    await waitFrame(page, 3, count);
    await objects().first().click();
    await expect.poll(() => objects().first().getByRole('textbox', { name: 'note' }).inputValue()).toBe('by the gate');
  });

  it('changes frames by keys, number and slider', async () => {
    await page.keyboard.press('f');
    await waitFrame(page, 4, count);
    await page.keyboard.press('v');
    await waitFrame(page, 14, count);
    await page.keyboard.press('c');
    await page.keyboard.press('d');
    await waitFrame(page, 3, count);
    await page.keyboard.press('Backquote');
    await page.keyboard.type('20');
    await page.keyboard.press('Enter');
    await waitFrame(page, 20, count);
    await page.getByTestId('frame.last').click();
    await waitFrame(page, count - 1, count);
    await page.getByRole('slider', { name: 'Frame slider' }).press('ArrowLeft');
    await waitFrame(page, count - 2, count);
    await expect.poll(() => page.getByTestId('file-name').textContent()).toBe('garden/image-023.jpg');
  });

  it('takes each arrow key on the slider as a step, also two before the repaint', async () => {
    await goToFrame(page, 10, count);
    await page.getByRole('slider', { name: 'Frame slider' }).evaluate((thumb) => {
      const press = () => new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true });
      for (const event of [press(), press()]) thumb.dispatchEvent(event);
    });
    await waitFrame(page, 8, count);
    await goToFrame(page, count - 2, count);
  });

  it('zooms to the cursor, pans with Space, and fits again', async () => {
    const zoom = page.getByTitle('Zoom', { exact: true });
    const fitted = await zoom.textContent();
    const box = await canvasBox(page);
    const point = { x: Math.round(box.x + box.width * 0.25), y: Math.round(box.y + box.height * 0.25) };
    await page.mouse.move(point.x, point.y);
    const cursor = page.getByTitle('Cursor position');
    const before = await cursor.textContent();
    await page.mouse.wheel(0, -400);
    await expect.poll(() => zoom.textContent()).not.toBe(fitted);
    await page.mouse.move(point.x, point.y);
    await expect.poll(() => cursor.textContent()).toBe(before);
    await page.keyboard.down('Space');
    await page.mouse.down();
    await page.mouse.move(point.x + 60, point.y + 40);
    await page.mouse.up();
    await page.keyboard.up('Space');
    await expect.poll(() => objects().count()).toBe(0);
    await page.mouse.move(point.x, point.y);
    await expect.poll(() => cursor.textContent()).not.toBe(before);
    await page.getByRole('button', { name: 'Fit image' }).click();
    await expect.poll(() => zoom.textContent()).toBe(fitted);
  });

  it('lists thousands of objects with the rows in view only', async () => {
    const label = (await stored())[0]?.label_id ?? 0;
    const shapes = Array.from({ length: 3000 }, (_, index) => ({
      type: 'rectangle' as const,
      frame: 10,
      label_id: label,
      points: [index % 600, (index * 7) % 400, (index % 600) + 8, ((index * 7) % 400) + 8],
    }));
    await service.changeAnnotations('jobs', jobOf(workbench), 'create', { shapes });
    await goToFrame(page, 10, count);
    await page.getByRole('tab', { name: /Objects ?3,000/ }).waitFor();
    await expect.poll(() => objects().count()).toBeLessThan(80);
    const list = page.getByTestId('objects');
    // The tab shows the count before the list has its rows.
    await expect.poll(() => list.evaluate((own) => own.scrollHeight > own.clientHeight)).toBe(true);
    await list.evaluate((own) => own.scrollTo(0, own.scrollHeight));
    await expect.poll(() => page.locator('[data-index="2999"]').count()).toBe(1);
  });
});
