import { describe, expect, it } from 'vitest';
import type { Label, LabelWrite } from '../../preload/contract/schema/labels.ts';
import { templateOfPreset } from '../../renderer/parts/labels/skeleton/presets.ts';
import { carriedOf } from '../../renderer/parts/labels/skeleton/template.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { clickPlaces, drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

interface StoredShape {
  readonly type: string;
  readonly frame: number;
  readonly points: readonly number[];
  readonly attributes: readonly { readonly value: string }[];
  readonly elements: readonly { readonly points: readonly number[] }[];
}

const grade = {
  name: 'grade',
  mutable: false,
  input_type: 'select' as const,
  values: ['a', 'b', 'c'],
  default_value: 'a',
};
const labels: readonly LabelWrite[] = [
  { name: 'crate', attributes: [grade] },
  { name: 'person', type: 'skeleton', ...carriedOf(templateOfPreset('person')) } as LabelWrite,
];
const count = 3;

const press = (key: string) => page.keyboard.press(key);
const stored = async (): Promise<readonly StoredShape[]> => {
  await waitSaved(page);
  return (await service.ask<{ shapes: readonly StoredShape[] }>('GET', `/api/jobs/${job}/annotations/`)).shapes;
};
interface StoredIssue {
  readonly resolved: boolean;
  readonly comments: { readonly count: number };
}
const issues = async (): Promise<readonly StoredIssue[]> =>
  (await service.ask<{ results: StoredIssue[] }>('GET', `/api/issues?job_id=${job}&sort=id`)).results;
const clear = () => service.ask('PUT', `/api/jobs/${job}/annotations/`, { shapes: [], tags: [], tracks: [] });
const open = async (mode = 'standard'): Promise<void> => {
  await page.goto(`/tasks/${task}/jobs/${job}?frame=0&mode=${mode}`);
  await waitFrame(page, 0, count);
};

const { page, service } = await useWorkbench();
const task = await service.makeTask('warehouse', { images: count, labels: [...labels] });
const job = (await service.jobsOf(task))[0] ?? 0;
const { results } = await service.ask<{ results: Label[] }>('GET', `/api/labels?task_id=${task}&page_size=all`);
const crate = results.find(({ name }) => name === 'crate')?.id ?? 0;

describe('a working day', () => {
  it('has fifty boxes drawn without a pause, by clicks and drags, and all of them in the store', async () => {
    await open();
    await press('1');
    await press('w');
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
    await press('1');
    await press('Shift+P');
    await clickPlaces(page, [
      [0.2, 0.2],
      [0.5, 0.2],
      [0.5, 0.6],
      [0.2, 0.6],
    ]);
    await press('n');
    await press('Escape');
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

  it('has a skeleton of 17 points drawn, and one of them put right', async () => {
    await clear();
    await open();
    await press('Shift+K');
    await drag(page, [0.3, 0.1], [0.6, 0.9]);
    await press('Escape');
    const [drawn] = await stored();
    expect(drawn).toMatchObject({ type: 'skeleton', elements: { length: 17 } });
    expect(new Set(drawn?.elements.map(({ points }) => points.join(' '))).size).toBe(17);
    // A wrist is the template's right edge, about half way down.
    await drag(page, [0.6, 0.51], [0.7, 0.4]);
    const [changed] = await stored();
    const moved = changed?.elements.filter(
      ({ points }, index) => points.join() !== drawn?.elements[index]?.points.join(),
    );
    expect(moved).toHaveLength(1);
  });

  it('has a hundred attributes given by keys alone', async () => {
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

  it('has a review with five issues, all of them answered and resolved', async () => {
    await open('review');
    for (let index = 0; index < 5; index += 1) {
      await press('n');
      await drag(page, [0.2 + index * 0.1, 0.3], [0.27 + index * 0.1, 0.4]);
      await page.getByRole('textbox', { name: 'What is wrong' }).fill(`Number ${index + 1} is loose.`);
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
