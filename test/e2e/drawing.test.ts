import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, jobOf } from './support/make-task.ts';
import { clickPlaces, type Place } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

interface StoredShape {
  readonly type: string;
  readonly points: number[];
  readonly rotation: number;
}

const workbench = await useWorkbench();
const { page, service } = workbench;
await dropNewTask(workbench, 'orchard', 2);

async function stored(): Promise<StoredShape[]> {
  await waitSaved(page);
  const { shapes } = await service.good<{
    shapes: StoredShape[];
  }>('GET', `/api/jobs/${jobOf(workbench)}/annotations/`);
  return shapes;
}
const ofType = async (type: string) => (await stored()).filter((shape) => shape.type === type);
const press = (key: string) => page.keyboard.press(key);
const objects = () => page.getByTestId('object');
const methods = () => page.getByRole('toolbar', { name: 'Ways to draw a rectangle' });

async function holding(key: string, places: readonly Place[]): Promise<void> {
  await page.keyboard.down(key);
  await clickPlaces(page, places);
  await page.keyboard.up(key);
}

describe('rectangles', () => {
  it('are drawn by four extreme points, and rotated by three; the way is remembered', async () => {
    await press('w');
    await methods().getByRole('button', { name: 'By four extreme points' }).click();
    const extremes: Place[] = [
      [0.2, 0.1],
      [0.3, 0.2],
      [0.22, 0.35],
      [0.12, 0.2],
    ];
    await clickPlaces(page, extremes);
    await answerName(page, 'tree');
    await expect.poll(() => objects().count()).toBe(1);
    await press('Shift+W');
    await methods().getByRole('button', { name: 'Rotated, by three points', pressed: true }).waitFor();
    await clickPlaces(page, [
      [0.6, 0.15],
      [0.75, 0.3],
      [0.65, 0.35],
    ]);
    await expect.poll(() => objects().count()).toBe(2);
    const [upright, turned] = await ofType('rectangle');
    expect(upright?.rotation).toBe(0);
    expect(turned?.rotation).toBeGreaterThan(5);
    await page.reload();
    await waitFrame(page, 0, 2);
    await expect.poll(() => objects().count()).toBe(2);
    expect(await ofType('rectangle')).toEqual([upright, turned]);
    await press('w');
    await methods().getByRole('button', { name: 'Rotated, by three points', pressed: true }).waitFor();
  });

  it('half drawn are taken back and cancelled', async () => {
    await clickPlaces(page, [
      [0.6, 0.6],
      [0.7, 0.7],
    ]);
    await press('Enter');
    await page.getByText('This rectangle needs three points').waitFor();
    await press('Backspace');
    await press('Escape');
    await press('Enter');
    // A box by keys alone, in the middle.
    await expect.poll(() => objects().count()).toBe(3);
    await press('Control+z');
    await expect.poll(() => objects().count()).toBe(2);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});

describe('polygons', () => {
  it('are drawn freehand with Shift held, and a part of them anew', async () => {
    await press('Shift+P');
    await clickPlaces(page, [[0.3, 0.5]]);
    const steps = Array.from({ length: 12 }, (_, step): Place => [0.3 + step * 0.02, 0.5]);
    await page.keyboard.down('Shift');
    const box = await page.getByTestId('canvas').boundingBox();
    if (box === null) throw new Error('The canvas is not on the page.');
    for (const [x, y] of steps) await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
    await page.keyboard.up('Shift');
    await clickPlaces(page, [
      [0.52, 0.8],
      [0.3, 0.8],
    ]);
    await press('Enter');
    await expect.poll(() => objects().count()).toBe(3);
    const [drawn] = await ofType('polygon');
    expect(drawn?.points.length).toBeGreaterThan(12);

    await press('s');
    await clickPlaces(page, [[0.4, 0.65]]);
    await page.locator('[data-testid="object"][data-selected]').waitFor();
    await holding('Shift', [[0.52, 0.8]]);
    await clickPlaces(page, [
      [0.4, 0.9],
      [0.3, 0.8],
    ]);
    await expect.poll(async () => (await ofType('polygon'))[0]?.points.length).toBe((drawn?.points.length ?? 0) + 2);
    const [redrawn] = await ofType('polygon');
    await holding('Alt', [[0.4, 0.9]]);
    await expect.poll(async () => (await ofType('polygon'))[0]?.points.length).toBe(drawn?.points.length);
    await press('Control+z');
    await expect.poll(async () => (await ofType('polygon'))[0]?.points).toEqual(redrawn?.points);
    await page.reload();
    await waitFrame(page, 0, 2);
    await expect.poll(() => objects().count()).toBe(3);
    expect((await ofType('polygon'))[0]?.points).toEqual(redrawn?.points);
  });

  it('have a menu for each point', async () => {
    const before = (await ofType('polygon'))[0]?.points ?? [];
    await press('s');
    await clickPlaces(page, [[0.4, 0.65]]);
    await page.locator('[data-testid="object"][data-selected]').waitFor();
    const box = await page.getByTestId('canvas').boundingBox();
    if (box === null) throw new Error('The canvas is not on the page.');
    await page.mouse.click(box.x + 0.4 * box.width, box.y + 0.9 * box.height, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Make it the first point' }).waitFor();
    await page.getByRole('menuitem', { name: 'Delete the point' }).click();
    await expect.poll(async () => (await ofType('polygon'))[0]?.points.length).toBe(before.length - 2);
    await press('Control+z');
    await expect.poll(async () => (await ofType('polygon'))[0]?.points).toEqual(before);
  });
});
