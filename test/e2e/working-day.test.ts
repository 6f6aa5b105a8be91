import { beforeAll, describe, expect, it } from 'vitest';
import type { LabelWrite } from '../../preload/contract/schema/labels.ts';
import type { Issue } from '../../preload/contract/schema/review.ts';
import { templateOfPreset } from '../../renderer/features/work/labels/skeleton/skeleton-presets.ts';
import { skeletonOf } from '../../renderer/features/work/labels/skeleton/template.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { clickPlaces, drag } from './support/pointer.ts';
import { storedShapes } from './support/make-task.ts';
import { useWorkbench } from './support/workbench.ts';

const grade = {
  name: 'grade',
  mutable: false,
  input_type: 'select' as const,
  values: ['a', 'b', 'c'],
  default_value: 'a',
};
const labels: readonly LabelWrite[] = [
  { name: 'crate', attributes: [grade] },
  { name: 'person', type: 'skeleton', ...skeletonOf(templateOfPreset('person')) } as LabelWrite,
];
const count = 4;

const workbench = await useWorkbench();
const { page, service } = workbench;
const task = await service.makeTask('warehouse', { images: count, labels: [...labels] });
const job = (await service.jobsOf(task))[0] ?? 0;
const crate = (await service.labels(task)).find(({ name }) => name === 'crate')?.id ?? 0;

const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const stored = () => storedShapes(workbench);
const issues = async () =>
  (await service.ask<{ results: Issue[] }>('GET', `/api/issues?job_id=${job}&sort=id`)).results;
const clear = () => service.replaceAnnotations('jobs', job, {});
const open = async (mode = 'standard'): Promise<void> => {
  await page.goto(`/tasks/${task}/jobs/${job}?frame=0&mode=${mode}`);
  await waitFrame(page, 0, count);
};

describe('a working day', () => {
  it('has fifty boxes drawn without a pause, by clicks and drags, and all of them are stored', async () => {
    await open();
    await press('1', 'w');
    for (let index = 0; index < 50; index += 1) {
      const [left, top] = [0.08 + (index % 10) * 0.085, 0.15 + Math.floor(index / 10) * 0.14];
      const corners = [
        [left, top],
        [left + 0.06, top + 0.1],
      ] as const;
      if (index % 2 === 0) await drag(page, ...corners);
      else await clickPlaces(page, corners);
    }
    const shapes = await stored();
    expect(shapes).toHaveLength(50);
    expect(new Set(shapes.map(({ points }) => points.join(' '))).size).toBe(50);
  });

  it('has a polygon corrected: a point dragged, one added on an edge, one deleted', async () => {
    await clear();
    await open();
    await press('1', 'Shift+P');
    await clickPlaces(page, [
      [0.2, 0.2],
      [0.5, 0.2],
      [0.5, 0.6],
      [0.2, 0.6],
    ]);
    await press('n', 'Escape');
    const [before] = await stored();
    await clickPlaces(page, [[0.35, 0.4]]);
    await drag(page, [0.5, 0.6], [0.6, 0.7]);
    const moved = await stored();
    expect(moved[0]?.points.slice(0, 4)).toEqual(before?.points.slice(0, 4));
    expect(moved[0]?.points.slice(4, 6)).not.toEqual(before?.points.slice(4, 6));
    await drag(page, [0.35, 0.2], [0.35, 0.1]);
    expect((await stored())[0]?.points).toHaveLength(10);
    await page.keyboard.down('Alt');
    await clickPlaces(page, [[0.35, 0.1]]);
    await page.keyboard.up('Alt');
    await expect.poll(async () => (await stored())[0]?.points.length).toBe(8);
  });

  it('has a skeleton of 17 points drawn, and one of them corrected', async () => {
    await clear();
    await open();
    await press('Shift+K');
    await drag(page, [0.3, 0.1], [0.6, 0.9]);
    await press('Escape');
    const [drawn] = await stored();
    expect(drawn).toMatchObject({ type: 'skeleton', elements: { length: 17 } });
    expect(new Set(drawn?.elements.map(({ points }) => points.join(' '))).size).toBe(17);
    // The wrist is at the template's right edge, about half way down.
    await drag(page, [0.6, 0.51], [0.7, 0.4]);
    const [changed] = await stored();
    const moved = changed?.elements.filter(
      ({ points }, index) => points.join() !== drawn?.elements[index]?.points.join(),
    );
    expect(moved).toHaveLength(1);
  });

  it('has a hundred attributes set by keys alone', async () => {
    await clear();
    const box = (index: number) => ({
      type: 'rectangle',
      label_id: crate,
      frame: Math.floor(index / 50),
      points: [
        10 + (index % 10) * 20,
        10 + Math.floor((index % 50) / 10) * 20,
        25 + (index % 10) * 20,
        24 + Math.floor((index % 50) / 10) * 20,
      ],
    });
    const shapes = Array.from({ length: 100 }, (_, index) => box(index));
    await service.ask('PUT', `/api/jobs/${job}/annotations/`, { shapes, tags: [], tracks: [] });
    await open('attributes');
    for (let index = 0; index < 100; index += 1) {
      if (index === 50) await waitFrame(page, 1, count);
      await press(String((index % 3) + 1));
    }
    const values = (await stored()).map(({ attributes }) => attributes[0]?.value);
    expect(['a', 'b', 'c'].map((value) => values.filter((one) => one === value).length)).toEqual([34, 33, 33]);
  });

  it('has a review with five issues, all answered and resolved', async () => {
    await open('review');
    for (let index = 0; index < 5; index += 1) {
      await press('n');
      await drag(page, [0.2 + index * 0.1, 0.3], [0.27 + index * 0.1, 0.4]);
      await page.getByRole('textbox', { name: 'Description' }).fill(`Number ${index + 1} is loose.`);
      await press('Enter');
      await expect.poll(() => page.getByTestId('issue-pin').count()).toBe(index + 1);
    }
    for (let index = 0; index < 5; index += 1) {
      await page
        .getByTestId('issue-row')
        .filter({ hasText: `Number ${index + 1} is loose.` })
        .click();
      const thread = page.getByRole('region', { name: `Issue ${index + 1}` });
      await thread.getByRole('textbox').fill('Fastened.');
      await press('Enter');
      await thread.getByText('Fastened.').waitFor();
      await thread.getByRole('button', { name: 'Resolve' }).click();
      await expect.poll(async () => (await issues()).filter(({ resolved }) => resolved).length).toBe(index + 1);
    }
    expect((await issues()).map(({ comments }) => comments.count)).toEqual([2, 2, 2, 2, 2]);
  });
});

describe('a working day without a pointer', () => {
  beforeAll(async () => {
    await clear();
    await open();
  });

  const times = (key: string, number: number): string[] => Array.from({ length: number }, () => key);
  const command = async (words: string): Promise<void> => {
    await press('Control+k');
    await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]') != null);
    await press('Control+a');
    await page.keyboard.type(words);
    await press('Enter');
  };
  /** Moves back with Tab from the end to the button and presses Enter. */
  const activate = async (name: string): Promise<void> => {
    const button = page.getByRole('dialog').getByRole('button', { name, exact: true });
    await button.waitFor();
    for (let stop = 0; stop < 60; stop += 1) {
      if (await button.evaluate((element) => element === document.activeElement)) return press('Enter');
      await press('Shift+Tab');
    }
    throw new Error(`Tab does not lead to ${name}.`);
  };

  it('has boxes placed one after the other, each moved and resized', async () => {
    await press('1', 'w');
    for (let box = 0; box < 10; box += 1) {
      await press('Enter', ...times('Shift+ArrowLeft', 5 - box), ...times('Shift+ArrowRight', box - 5));
      await press('Alt+ArrowRight', 'Shift+ArrowUp');
    }
    const shapes = await stored();
    expect(shapes).toHaveLength(10);
    expect(new Set(shapes.map(({ points }) => points[0])).size).toBe(10);
    await press('Escape', 'Control+a', 'Delete');
    await expect.poll(async () => (await stored()).length).toBe(0);
  });

  it('has a polygon corrected: a point moved, one added, one deleted', async () => {
    await press('Shift+P', 'Enter', 'Enter', ...times('Shift+ArrowRight', 9), 'Enter');
    await press(...times('Shift+ArrowDown', 9), 'Enter', 'n', 'Escape');
    const [before] = await stored();
    expect(before?.points).toHaveLength(6);
    await press('Tab', 'Period', 'Period', 'ArrowRight', 'ArrowRight', 'Insert', 'ArrowDown');
    const [corrected] = await stored();
    expect(corrected?.points).toHaveLength(8);
    expect(corrected?.points.slice(0, 2)).toEqual(before?.points.slice(0, 2));
    expect((corrected?.points[2] ?? 0) - (before?.points[2] ?? 0)).toBeCloseTo(2, 3);
    await press('Delete');
    await expect.poll(async () => (await stored())[0]?.points.length).toBe(6);
    // The first press selects the complete shape instead of the point, the second clears the selection.
    await press('Escape', 'Delete');
    await expect.poll(async () => (await stored()).length).toBe(0);
  });

  it('has objects grouped, copied to the next frame, and propagated to all following ones', async () => {
    // The cursor starts where the keys moved it; each box needs two corners.
    await press('w', 'Enter', ...times('Shift+ArrowLeft', 4), ...times('Shift+ArrowUp', 4), 'Enter');
    await press('Enter', ...times('Shift+ArrowLeft', 4), ...times('Shift+ArrowUp', 4), 'Enter');
    await press('Escape', 'Control+a', 'g');
    await expect.poll(async () => (await stored()).map(({ group }) => group)).toEqual([1, 1]);
    await press('Control+c', 'f');
    await waitFrame(page, 1, count);
    await press('Control+v');
    await expect.poll(async () => (await stored()).filter(({ frame }) => frame === 1).length).toBe(2);
    await press('Control+b');
    await activate('Copy');
    await expect.poll(async () => (await stored()).filter(({ frame }) => frame > 1).length).toBeGreaterThan(0);
  });

  it('has a frame deleted and restored', async () => {
    const isLeftOut = async () => (await service.meta('jobs', job)).deleted_frames;
    await press('Alt+Delete');
    await expect.poll(isLeftOut).toEqual([1]);
    await press('Control+g');
    await page.keyboard.type('1');
    await press('Enter');
    await waitFrame(page, 1, count);
    await press('Alt+Delete');
    await expect.poll(isLeftOut).toEqual([]);
  });

  it('has the statistics opened and the work exported by commands', async () => {
    await command('Statistics');
    await page
      .getByRole('dialog', { name: /Statistics/ })
      .getByText('crate')
      .first()
      .waitFor();
    await press('Escape');
    await command('Export');
    await activate('Export');
    await page
      .getByRole('dialog', { name: /Export/ })
      .getByText(/written|dropped|included/i)
      .first()
      .waitFor();
  });
});
