import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, goToFrame, waitFrame } from './support/annotate-screen.ts';
import { downloadBy } from './support/files.ts';
import { dropNewTask, storedShapes } from './support/make-task.ts';
import { leaveCanvas } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page } = workbench;
await dropNewTask(workbench, 'view', 2);

const shapes = () => storedShapes(workbench);
const press = async (key: string, times = 1): Promise<void> => {
  for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
};
const rowColors = (): Promise<string[]> =>
  page
    .getByTestId('object')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).style.getPropertyValue('--row-color')));
const choose = async (name: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name }).click();
  await page.getByRole('option', { name: option }).click();
};

describe('drawing by keys alone', () => {
  it("draws a box of exactly the size of the cursor's movement", async () => {
    await leaveCanvas(page);
    await press('w');
    await press('ArrowLeft', 3);
    await page.getByTitle('Cursor position').filter({ hasText: '317, 240' }).waitFor();
    await press('Enter');
    await press('Shift+ArrowRight', 2);
    await press('ArrowRight', 5);
    await press('Shift+ArrowDown', 3);
    await press('Enter');
    await answerName(page, 'box');
    expect((await shapes()).map(({ type, points }) => [type, points])).toEqual([['rectangle', [317, 240, 342, 270]]]);
  });

  it('draws a polygon, which N completes', async () => {
    await press('Escape', 2);
    await press('Shift+P');
    // The cursor is where the keys moved it.
    await press('Enter');
    await press('Shift+ArrowRight', 4);
    await press('Enter');
    await press('Shift+ArrowDown', 4);
    await press('Space');
    await press('n');
    await expect.poll(() => page.getByTestId('object').count()).toBe(2);
    const polygon = (await shapes()).find(({ type }) => type === 'polygon');
    expect(polygon?.points).toEqual([342, 270, 382, 270, 382, 310]);
  });
});

describe('how shapes are shown', () => {
  it('is coloured by label, object, group and track, in the list too, and is saved', async () => {
    await press('Escape', 3);
    const byLabel = await rowColors();
    expect(new Set(byLabel).size).toBe(1);
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await page.getByRole('img', { name: /^Brightness of the displayed image/ }).waitFor();
    await choose('Color by', 'Object');
    await page.getByRole('checkbox', { name: 'ID', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Source' }).check();
    await page.getByText('Outline halo').locator('..').getByRole('switch').check();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Objects' }).click();
    await expect.poll(async () => new Set(await rowColors()).size).toBe(2);
    await page.goto('/tasks');
    await page.goBack();
    await waitFrame(page, 0, 2);
    await expect.poll(async () => new Set(await rowColors()).size).toBe(2);
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Source' }).isChecked()).toBe(true);
    await choose('Color by', 'Label');
    await choose('Colors', 'Color-blind safe');
    await page.getByRole('tab', { name: 'Objects' }).click();
    await expect.poll(async () => [...new Set(await rowColors())]).toEqual(['#e69f00']);
  });

  it('is saved as PNG and as SVG', async () => {
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Menu' }).click();
      const download = await downloadBy(page.getByRole('menuitem', { name }));
      await page.getByRole('menu').waitFor({ state: 'detached' });
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const png = await save('Save image with shapes as PNG');
    expect([png.name, png.bytes.subarray(1, 4).toString()]).toEqual(['view 0.png', 'PNG']);
    const svg = await save('Save image with shapes as SVG');
    expect(svg.name).toBe('view 0.svg');
    expect(svg.bytes.toString().includes('d="M342 270L382 270L382 310Z"')).toBe(true);
    const parsed = await page.evaluate((text) => {
      const page = new DOMParser().parseFromString(text, 'image/svg+xml');
      return { faults: page.querySelectorAll('parsererror').length, groups: page.querySelectorAll('g').length };
    }, svg.bytes.toString());
    expect(parsed).toEqual({ faults: 0, groups: 2 });
  });

  it('shows a small map while only a part is seen, and moves the view from it', async () => {
    const map = page.getByTestId('minimap');
    await expect.poll(() => map.isVisible()).toBe(false);
    for (let step = 0; step < 6; step += 1) await press('Control+=');
    await map.waitFor();
    const before = await page.getByTestId('canvas').screenshot();
    await map.click({ position: { x: 5, y: 5 } });
    await expect.poll(async () => (await page.getByTestId('canvas').screenshot()).equals(before)).toBe(false);
    await press('Home');
    await map.waitFor({ state: 'hidden' });
  });

  it('gives the panel the width that is wanted, folds it, and remembers both', async () => {
    const panel = page.getByRole('complementary', { name: 'Objects, labels and appearance' });
    const width = async (): Promise<number> => Math.round((await panel.boundingBox())?.width ?? 0);
    expect(await width()).toBe(320);
    await page.getByRole('separator', { name: 'Panel width' }).focus();
    await press('ArrowLeft', 2);
    await expect.poll(width).toBe(352);
    await page.reload();
    await waitFrame(page, 0, 2);
    expect(await width()).toBe(352);
    await press('Control+Backslash');
    await panel.waitFor({ state: 'detached' });
    await page.reload();
    await waitFrame(page, 0, 2);
    await expect.poll(() => panel.count()).toBe(0);
    await press('Control+Backslash');
    await panel.waitFor();
  });

  it.each([
    [900, 600],
    [2560, 1440],
  ])('fits into %i × %i', async (width, height) => {
    await page.setViewportSize({ width, height });
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, [role="tab"]')]
        .filter((element) => element.checkVisibility() && element.closest('[data-cut]') === null)
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < -1 || right > window.innerWidth + 1;
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    expect(outside).toEqual([]);
    const host = await page.getByTestId('canvas').boundingBox();
    expect(host?.width ?? 0).toBeGreaterThan(width / 2.2);
  });
});

describe('the histogram', () => {
  /** Darkest and lightest value of the displayed image, ignoring one percent of its pixels. */
  const extremes = async (): Promise<readonly [dark: number, light: number]> => {
    const shot = await page.getByTestId('canvas').screenshot();
    const { width = 0, height = 0 } = await sharp(shot).metadata();
    const part = { left: width >> 2, top: height >> 2, width: width >> 1, height: height >> 1 };
    const { data } = await sharp(shot).extract(part).greyscale().raw().toBuffer({ resolveWithObject: true });
    const sorted = Uint8Array.from(data).sort();
    return [sorted[Math.floor(sorted.length / 100)] ?? 0, sorted[Math.floor((sorted.length * 99) / 100)] ?? 0];
  };

  it('is equalized on request: values range from black to white', async () => {
    await goToFrame(page, 1, 2);
    await page.getByRole('tab', { name: 'Appearance' }).click();
    await leaveCanvas(page);
    const [dark, light] = await extremes();
    await press('Escape');
    await page.getByRole('switch', { name: 'Equalize histogram' }).press('Space');
    await expect.poll(async () => (await extremes())[1] - (await extremes())[0]).toBeGreaterThan(light - dark);
    expect((await extremes())[1]).toBeGreaterThan(220);
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(extremes).toEqual([dark, light]);
  });
});
