import { describe, expect, it } from 'vitest';
import { answerName, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, storedShapes } from './support/make-task.ts';
import { canvasBox, type Place } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

/** Fingers and the wheel on the canvas. Chromium receives touch events like those of a touch screen. */
const workbench = await useWorkbench();
const { page } = workbench;
await dropNewTask(workbench, 'touch', 2);
const devtools = await page.context().newCDPSession(page);

type TouchType = 'touchStart' | 'touchMove' | 'touchEnd';
async function touch(type: TouchType, places: readonly Place[]): Promise<void> {
  const box = await canvasBox(page);
  const touchPoints = places.map(([x, y], id) => ({ x: box.x + x * box.width, y: box.y + y * box.height, id }));
  await devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
}

async function swipe(from: Place, to: Place): Promise<void> {
  await touch('touchStart', [from]);
  await touch('touchMove', [[(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]]);
  await touch('touchMove', [to]);
  await touch('touchEnd', []);
}

async function tap(place: Place): Promise<void> {
  await touch('touchStart', [place]);
  await touch('touchEnd', []);
  // Two taps in quick succession would be a double click.
  await page.waitForTimeout(450);
}

async function pinch(from: readonly [Place, Place], to: readonly [Place, Place]): Promise<void> {
  await touch('touchStart', [from[0]]);
  await touch('touchStart', [...from]);
  for (const share of [0.25, 0.5, 0.75, 1]) {
    const between = (index: 0 | 1): Place => [
      from[index][0] + (to[index][0] - from[index][0]) * share,
      from[index][1] + (to[index][1] - from[index][1]) * share,
    ];
    await touch('touchMove', [between(0), between(1)]);
  }
  await touch('touchEnd', []);
}

const zoom = async (): Promise<number> => Number.parseFloat((await page.getByTitle('Zoom').textContent()) ?? '');
const shapes = () => storedShapes(workbench);

describe('fingers', () => {
  it('draw a box with one finger', async () => {
    await page.keyboard.press('w');
    await swipe([0.3, 0.3], [0.4, 0.4]);
    await answerName(page, 'box');
    await expect.poll(async () => (await shapes()).map(({ type }) => type)).toEqual(['rectangle']);
    await page.keyboard.press('Escape');
  });

  it('zoom and move the view with two fingers, and the brush paints nothing', async () => {
    const before = await zoom();
    await page.keyboard.press('b');
    await pinch(
      [
        [0.45, 0.5],
        [0.55, 0.5],
      ],
      [
        [0.35, 0.5],
        [0.65, 0.5],
      ],
    );
    await expect.poll(zoom).toBeGreaterThan(before * 2);
    await pinch(
      [
        [0.35, 0.5],
        [0.65, 0.5],
      ],
      [
        [0.45, 0.5],
        [0.55, 0.5],
      ],
    );
    await expect.poll(zoom).toBeCloseTo(before, -1);
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    await waitSaved(page);
    expect((await shapes()).map(({ type }) => type)).toEqual(['rectangle']);
  });

  it('close a polygon by a tap on its first point', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+P');
    for (const place of [
      [0.6, 0.3],
      [0.7, 0.3],
      [0.7, 0.45],
      [0.6, 0.3],
    ] as const)
      await tap(place);
    await expect.poll(async () => (await shapes()).map(({ type }) => type)).toEqual(['rectangle', 'polygon']);
    expect((await shapes())[1]?.points).toHaveLength(6);
    await page.keyboard.press('Escape');
  });
});

describe('the wheel', () => {
  it('zooms, or scrolls if configured and zooms with Ctrl', async () => {
    const box = await canvasBox(page);
    const wheel = async (control: boolean): Promise<void> => {
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      if (control) await page.keyboard.down('Control');
      await page.mouse.wheel(0, -120);
      if (control) await page.keyboard.up('Control');
    };
    const before = await zoom();
    await wheel(false);
    await expect.poll(zoom).toBeGreaterThan(before);
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await page.getByText('Wheel scrolls', { exact: true }).locator('..').getByRole('switch').check({ force: true });
    const chosen = await zoom();
    await wheel(false);
    await wheel(true);
    await expect.poll(zoom).toBeGreaterThan(chosen);
    const zoomed = await zoom();
    await wheel(false);
    await page.waitForTimeout(100);
    expect(await zoom()).toBe(zoomed);
  });
});
