import { beforeAll, describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, typeLabel, waitFrame } from './support/annotate-screen.ts';
import { dropNewTask, jobOf, storedShapes } from './support/make-task.ts';
import { canvasBox, clickPlaces, drag, type Place } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service } = workbench;
await dropNewTask(workbench, 'orchard', 2);

const stored = () => storedShapes(workbench);
const ofType = async (type: string) => (await stored()).filter((shape) => shape.type === type);
const press = (key: string) => page.keyboard.press(key);
const objects = () => page.getByTestId('object');
const methods = () => page.getByRole('toolbar', { name: 'Drawing methods' });

async function holding(key: string, places: readonly Place[]): Promise<void> {
  await page.keyboard.down(key);
  await clickPlaces(page, places);
  await page.keyboard.up(key);
}

describe('rectangles', () => {
  it('are drawn by four extreme points, and rotated by three; the method is remembered', async () => {
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

  it('in progress can be undone and cancelled', async () => {
    await clickPlaces(page, [
      [0.6, 0.6],
      [0.7, 0.7],
    ]);
    await press('Enter');
    await page.getByText('This shape needs three points').waitFor();
    await press('Backspace');
    await press('Escape');
    await press('Enter');
    // Draws a box with the keyboard only, in the centre.
    await expect.poll(() => objects().count()).toBe(3);
    await press('Control+z');
    await expect.poll(() => objects().count()).toBe(2);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });
});

describe('polygons', () => {
  it('are drawn freehand with Shift held, and a part can be redrawn', async () => {
    await press('Shift+P');
    await clickPlaces(page, [[0.3, 0.5]]);
    const steps = Array.from({ length: 12 }, (_, step): Place => [0.3 + step * 0.02, 0.5]);
    await page.keyboard.down('Shift');
    const box = await canvasBox(page);
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
    await clickPlaces(page, [[0.4, 0.9]], 'right');
    await page.getByRole('menuitem', { name: 'Set as first point' }).waitFor();
    await page.getByRole('menuitem', { name: 'Delete point' }).click();
    await expect.poll(async () => (await ofType('polygon'))[0]?.points.length).toBe(before.length - 2);
    await press('Control+z');
    await expect.poll(async () => (await ofType('polygon'))[0]?.points).toEqual(before);
  });
});

describe('lines and holes', () => {
  beforeAll(async () => {
    await page.goto('/tasks');
    await dropNewTask(workbench, 'leaf', 1);
    await typeLabel(page, 'leaf');
  });
  const types = async (): Promise<readonly string[]> => (await stored()).map(({ type }) => type);

  it('slices a polygon and a mask by a line, and one undo restores each', async () => {
    await page.keyboard.press('Shift+p');
    await clickPlaces(page, [
      [0.2, 0.2],
      [0.45, 0.2],
      [0.45, 0.7],
      [0.2, 0.7],
    ]);
    await page.keyboard.press('n');
    await page.keyboard.press('Alt+j');
    await clickPlaces(page, [
      [0.1, 0.4],
      [0.3, 0.5],
    ]);
    await page.keyboard.press('n');
    await page.getByText('the line does not cross from edge to edge').first().waitFor();
    await clickPlaces(page, [[0.52, 0.4]]);
    await page.keyboard.press('n');
    await expect.poll(types).toEqual(['polygon', 'polygon']);
    await page.keyboard.press('Control+z');
    await expect.poll(types).toEqual(['polygon']);

    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Digit1');
    await drag(page, [0.6, 0.5], [0.85, 0.5]);
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Slice a polygon or mask' }).click();
    await clickPlaces(page, [
      [0.72, 0.2],
      [0.72, 0.8],
    ]);
    await page.keyboard.press('Enter');
    await expect.poll(types).toEqual(['polygon', 'mask', 'mask']);
  });

  it('cuts a hole into a polygon, and refuses one that crosses the outline', async () => {
    const first = page.getByTestId('object').last();
    await page.keyboard.press('Escape');
    await first.click();
    const [before] = await stored();
    await page.getByRole('button', { name: 'Cut a hole in a polygon' }).click();
    await clickPlaces(page, [
      [0.1, 0.3],
      [0.3, 0.3],
      [0.3, 0.5],
    ]);
    await page.keyboard.press('n');
    await page.getByText('The hole crosses the outline or another hole').first().waitFor();
    await page.keyboard.press('Escape');
    const hole: Place[] = [
      [0.28, 0.35],
      [0.38, 0.35],
      [0.38, 0.55],
    ];
    // The last click, on the first point, closes it.
    await clickPlaces(page, [...hole, [0.28, 0.35]]);
    await expect.poll(async () => (await stored())[0]?.points.length).toBe((before?.points.length ?? 0) + 10);
    await expect.poll(types).toEqual(['polygon', 'mask', 'mask']);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored())[0]).toEqual(before);
  });

  it('works by the keyboard: the arrows move the line, and the selection does not move', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await clickPlaces(page, [[0.22, 0.25]]);
    const shapes = await stored();
    const points = shapes.find(({ type }) => type === 'polygon')?.points ?? [];
    const [left, right] = [0, 1].map((at) => (at === 0 ? Math.min : Math.max)(...points.filter((_, i) => i % 2 === 0)));
    const top = Math.min(...points.filter((_, i) => i % 2 === 1));
    const [frame] = (await service.meta('jobs', jobOf(workbench))).frames ?? [];
    const press = async (key: string, count: number) => {
      for (let done = 0; done < count; done += 1) await page.keyboard.press(key);
    };
    await page.keyboard.press('Alt+j');
    // The cursor starts in the centre of the visible part. It moves above the polygon, then straight down through it.
    await page.keyboard.press('Enter');
    await press('Shift+ArrowLeft', Math.round((frame!.width / 2 - left! - (right! - left!) * 0.1) / 10));
    await press('Shift+ArrowUp', Math.ceil((frame!.height / 2 - top) / 10) + 1);
    await page.keyboard.press('Enter');
    await press('Shift+ArrowDown', Math.ceil(frame!.height / 10));
    await page.keyboard.press('Enter');
    await page.keyboard.press('n');
    await expect.poll(async () => (await stored()).length).toBe(shapes.length + 1);
  });
});
