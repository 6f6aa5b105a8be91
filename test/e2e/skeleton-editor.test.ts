import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Label } from '../../preload/contract/schema/labels.ts';
import { skeletonJoints } from '../../preload/geometry/skeleton-joints.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { chooseFiles } from './support/files.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service, folder } = await useWorkbench();

async function openEditor(name: string): Promise<Locator> {
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/projects\/\d+/);
  await page.getByPlaceholder('New label name').fill('figure');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Shape' }).click();
  await page.getByRole('option', { name: 'Skeleton', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Skeleton “figure”' });
  await dialog.waitFor();
  return dialog;
}

async function saved(): Promise<Label> {
  await page.getByRole('button', { name: 'Save labels' }).click();
  await page.getByText('Labels saved.').waitFor();
  const project = /projects\/(\d+)/.exec(page.url())?.[1];
  const path = `/api/labels?project_id=${project}&page_size=all`;
  const { results } = await service.ask<{ results: Label[] }>('GET', path);
  return results.find(({ name }) => name === 'figure')!;
}
const shape = ({ svg, sublabels }: Label) => ({
  points: sublabels.map(({ name }) => name),
  joints: skeletonJoints({ sublabels, ...(svg === undefined ? {} : { svg }) }),
});

async function press(stage: Locator, from: readonly [number, number], to = from): Promise<void> {
  const box = (await stage.boundingBox())!;
  const at = ([x, y]: readonly [number, number]) =>
    [box.x + (x / 100) * box.width, box.y + (y / 100) * box.height] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 4 });
  await page.mouse.up();
}

describe('the editor of a skeleton', () => {
  it('creates one of four points by pointer, with names, and a saved one keeps its points', async () => {
    const dialog = await openEditor('by pointer');
    const stage = dialog.getByTestId('template-stage');
    for (const at of [
      [50, 10],
      [50, 40],
      [20, 80],
      [80, 80],
    ] as const)
      await press(stage, at);
    for (const to of [
      [50, 10],
      [20, 80],
      [80, 80],
    ] as const)
      await press(stage, [50, 40], to);
    for (const [index, name] of ['head', 'neck', 'left', 'right'].entries()) {
      await dialog.getByRole('textbox', { name: `Name of point ${index + 1}` }).fill(name);
    }
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use template' }).click();
    await dialog.waitFor({ state: 'detached' });
    const label = await saved();
    expect(shape(label)).toEqual({
      points: ['head', 'neck', 'left', 'right'],
      joints: [
        [2, 1],
        [2, 3],
        [2, 4],
      ],
    });

    await page.reload();
    await page.getByRole('button', { name: '4 points and the lines of figure' }).click();
    await press(dialog.getByTestId('template-stage'), [50, 10], [50, 20]);
    await dialog.getByTestId('template-stage').press('Delete');
    await dialog.getByText('Cannot add or delete points of a saved skeleton').waitFor();
    await dialog.getByRole('textbox', { name: 'Name of point 1' }).fill('top');
    await dialog.getByRole('button', { name: 'Use template' }).click();
    const changed = await saved();
    expect(changed.sublabels.map(({ id }) => id)).toEqual(label.sublabels.map(({ id }) => id));
    expect(changed.sublabels[0]?.name).toBe('top');
  });

  it('creates one by keys alone, and undoes it step by step', async () => {
    const dialog = await openEditor('by keys');
    const stage = dialog.getByTestId('template-stage');
    await stage.focus();
    for (const key of ['Enter', 'Enter', 'j', 'PageUp', 'j', 'ArrowUp']) await page.keyboard.press(key);
    await expect.poll(() => dialog.getByTestId('template-line').count()).toBe(1);
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('Control+z');
    await expect.poll(() => dialog.getByTestId('template-line').count()).toBe(0);
    await page.keyboard.press('Control+y');
    await expect.poll(() => dialog.getByTestId('template-line').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Use template' }).press('Enter');
    expect(shape(await saved())).toEqual({ points: ['1', '2'], joints: [[2, 1]] });
  });

  it('starts from a figure, refuses an invalid drawing, and accepts the drawing of another program', async () => {
    const dialog = await openEditor('from a file');
    await dialog.getByRole('button', { name: 'Person, 17' }).click();
    await expect.poll(() => dialog.getByTestId('template-point').count()).toBe(17);
    const open = async (name: string, text: string): Promise<void> => {
      await chooseFiles(dialog.getByRole('button', { name: 'Open SVG' }), {
        name,
        mimeType: 'image/svg+xml',
        buffer: Buffer.from(text),
      });
    };
    await open('evil.svg', '<svg><script>alert(1)</script><circle cx="1" cy="1"/></svg>');
    await dialog.getByText('Cannot use the file. The template is unchanged').waitFor();
    await expect.poll(() => dialog.getByTestId('template-point').count()).toBe(17);
    // The corrected file of the same name is accepted.
    const mended = join(folder, 'drawing.svg');
    for (const [text, count] of [
      ['<svg>', 17],
      ['<svg><circle cx="1" cy="1"/></svg>', 1],
    ] as const) {
      writeFileSync(mended, text);
      await chooseFiles(dialog.getByRole('button', { name: 'Open SVG' }), mended);
      await expect.poll(() => dialog.getByTestId('template-point').count()).toBe(count);
    }

    const fixture = join('..', 'shared', 'fixtures', 'functions', 'pytorch.mmpose.hrnet32', 'function.yaml');
    const drawing = /"svg": "((?:[^"\\]|\\.)*)"/.exec(readFileSync(fixture, 'utf8'))?.[1] ?? '';
    await open('hrnet.svg', JSON.parse(`"${drawing}"`) as string);
    await expect.poll(() => dialog.getByTestId('template-point').first().getAttribute('data-name')).not.toBe('nose');
    const drawn = dialog.getByTestId('template-point');
    await expect.poll(() => drawn.count()).toBeGreaterThan(10);
    const count = await drawn.count();
    await dialog.getByRole('button', { name: 'Use template' }).click();
    const { points, joints } = shape(await saved());
    expect(points).toHaveLength(count);
    expect(joints.length).toBeGreaterThan(10);
  });
});
