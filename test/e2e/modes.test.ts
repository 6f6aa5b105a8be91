import { describe, expect, it } from 'vitest';
import type { LabelWrite } from '../../preload/contract/schema/labels.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 5;
const attribute = (name: string, values: string[]) => ({
  name,
  mutable: false,
  input_type: 'select' as const,
  values,
  default_value: values[0] ?? '',
});
const ripeness = ['unripe', 'turning', 'ripe', 'overripe'];
const fruit: LabelWrite = {
  name: 'fruit',
  type: 'rectangle',
  attributes: [
    attribute('ripeness', ripeness),
    { name: 'cut', mutable: false, input_type: 'checkbox', values: [], default_value: 'false' },
    { name: 'damage', mutable: false, input_type: 'number', values: ['0', '3', '1'], default_value: '0' },
    attribute('skin', ['smooth', 'rough', 'hairy']),
    { name: 'note', mutable: false, input_type: 'text', values: [], default_value: '' },
  ],
};
const labels = [
  fruit,
  { name: 'crate' },
  { name: 'day', type: 'tag' as const },
  { name: 'night', type: 'tag' as const },
];

const { page, service } = await useWorkbench();
const task = await service.makeTask('scales', { images: count, labels });
const job = (await service.jobsOf(task))[0] ?? 0;
const results = (await service.labels(task)).toSorted((a, b) => a.id - b.id);
const ids = results.map(({ id }) => id);
const specs = results[0]?.attributes ?? [];
const { width = 0, height = 0 } = (await service.meta('jobs', job)).frames?.[0] ?? {};
const box = (label_id: number | undefined, frame: number, x: number) => ({
  type: 'rectangle',
  label_id,
  frame,
  points: [width * x, height * 0.4, width * (x + 0.15), height * 0.6],
});
// Frame 1 has no attributes to set, frame 2 has no objects.
const shapes = [
  box(ids[0], 0, 0.1),
  box(ids[0], 0, 0.4),
  box(ids[1], 0, 0.7),
  box(ids[1], 1, 0.4),
  box(ids[0], 3, 0.1),
  box(ids[0], 3, 0.4),
  box(ids[0], 3, 0.7),
];
await service.ask('PUT', `/api/jobs/${job}/annotations/`, { shapes, tags: [], tracks: [] });

const press = (key: string) => page.keyboard.press(key);
const stored = () => service.annotations('jobs', job);
const open = async (mode: string): Promise<void> => {
  await page.goto(`/tasks/${task}/jobs/${job}?frame=0&mode=${mode}`);
  await waitFrame(page, 0, count);
  await page.locator(`[data-testid="mode"][data-mode="${mode}"]`).waitFor();
};

/** Waits until this attribute of this object is asked. */
const waitPlace = async (place: string, name: string): Promise<void> => {
  await page.getByTestId('attribute-place').getByText(place, { exact: true }).waitFor();
  await page.getByRole('region', { name, exact: true }).waitFor();
};

describe('attributes', () => {
  it('are set by keys alone, from object to object and over frames, and saved', async () => {
    await open('standard');
    await press('t');
    await press('3');
    await page.locator('[data-testid="mode"][data-mode="attributes"]').waitFor();
    const digits = ['2', '1', '3', '2'];
    const names = ['ripeness', 'cut', 'damage', 'skin'];
    for (const [object, frame] of [
      ['1 of 2', 0],
      ['2 of 2', 0],
      ['1 of 3', 3],
      ['2 of 3', 3],
      ['3 of 3', 3],
    ] as const) {
      await waitFrame(page, frame, count);
      for (const [index, digit] of digits.entries()) {
        await waitPlace(object, names[index] ?? '');
        await press(digit);
      }
      await waitPlace(object, 'note');
      await press('Enter');
      await page.keyboard.type(`looked at ${object}`);
      await press('Enter');
    }
    await page.getByText('No later frame has matching objects').waitFor();
    await waitSaved(page);
    const { shapes } = await stored();
    const expected = ['turning', 'true', '2', 'rough'];
    const notes = shapes.flatMap(({ attributes }) =>
      attributes.flatMap(({ value }) => (value.startsWith('looked') ? [value] : [])),
    );
    expect(notes.toSorted()).toEqual(['1 of 2', '1 of 3', '2 of 2', '2 of 3', '3 of 3'].map((at) => `looked at ${at}`));
    const values = shapes
      .filter(({ label_id }) => label_id === ids[0])
      .map(({ attributes }) =>
        names.map(
          (name) => attributes.find(({ spec_id }) => specs.find(({ id }) => id === spec_id)?.name === name)?.value,
        ),
      );
    expect(values).toEqual([expected, expected, expected, expected, expected]);
    expect(shapes.filter(({ label_id }) => label_id === ids[1]).flatMap(({ attributes }) => attributes)).toEqual([]);
  });

  it('are navigated by arrows and Tab, reset, and asked again after an undo', async () => {
    await open('attributes');
    await waitPlace('1 of 2', 'ripeness');
    await press('ArrowDown');
    await waitPlace('1 of 2', 'cut');
    await press('ArrowUp');
    await press('Tab');
    await waitPlace('2 of 2', 'ripeness');
    await press('Shift+Tab');
    await waitPlace('1 of 2', 'ripeness');
    await press('4');
    await waitPlace('1 of 2', 'cut');
    await press('Control+z');
    await waitPlace('1 of 2', 'ripeness');
    await page.getByRole('button', { name: 'turning', pressed: true }).waitFor();
    await press('Backspace');
    await page.getByRole('button', { name: 'unripe', pressed: true }).waitFor();
    await press('3');
    await waitPlace('1 of 2', 'cut');
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('stay on the frame if automatic frame changes are off', async () => {
    await open('attributes');
    await waitPlace('1 of 2', 'ripeness');
    await page.getByRole('switch', { name: 'Auto-advance to next frame' }).uncheck({ force: true });
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await press('Tab');
    await waitPlace('2 of 2', 'ripeness');
    await press('Tab');
    await page.getByText('This is the last object of the frame.').waitFor();
    await waitPlace('2 of 2', 'ripeness');
    await page.getByRole('switch', { name: 'Auto-advance to next frame' }).check({ force: true });
  });

  it('are asked for objects that match the filter, on this frame and on others', async () => {
    await open('attributes');
    await press('t');
    await press('f');
    const card = page.getByRole('dialog', { name: 'Filter' });
    await card.getByText('JSON Logic').click();
    await card.getByRole('textbox', { name: 'JSON Logic' }).fill('{"==": [{"var": "attr.fruit.ripeness"}, "turning"]}');
    await waitPlace('1 of 1', 'ripeness');
    await press('Escape');
    await card.waitFor({ state: 'detached' });
    await press('Tab');
    await waitFrame(page, 3, count);
    await waitPlace('1 of 3', 'ripeness');
    await press('t');
    await press('c');
  });

  it('are not moved, relabelled or drawn over by keys and pointer', async () => {
    await open('attributes');
    await waitPlace('1 of 2', 'ripeness');
    const before = await stored();
    await press('ArrowLeft');
    await press('9');
    await press('n');
    await drag(page, [0.5, 0.5], [0.6, 0.6]);
    await waitSaved(page);
    expect((await stored()).shapes).toEqual(before.shapes);
  });
});

describe('tags', () => {
  it('are added to five frames by digits, removed by the same digit, and saved', async () => {
    await open('tags');
    await page.getByRole('button', { name: /day/ }).waitFor();
    await page.getByRole('switch', { name: 'Auto-advance to next frame' }).check({ force: true });
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    // The same digits as for drawing: day is the third label, night the fourth.
    for (const [frame, digit] of ['3', '4', '3', '4', '3'].entries()) {
      await waitFrame(page, frame, count);
      await press(digit);
    }
    await page.getByText('This is the last frame of the job.').waitFor();
    await page.getByRole('button', { name: /day/, pressed: true }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await press('4');
    await page.getByTestId('tag-count').getByText('2 tags on this frame').waitFor();
    await press('4');
    await page.getByTestId('tag-count').getByText('1 tag on this frame').waitFor();
    await waitSaved(page);
    const { tags, shapes } = await stored();
    expect(tags.map(({ frame, label_id }) => [frame, label_id]).toSorted()).toEqual(
      [ids[2], ids[3], ids[2], ids[3], ids[2]].map((id, frame) => [frame, id]),
    );
    expect(shapes).toHaveLength(7);
    await page.getByRole('button', { name: 'Remove tag day' }).click();
    await expect.poll(async () => (await stored()).tags.length).toBe(4);
  });
});

describe('single shapes', () => {
  it('are drawn on five frames with one label, and end with a note', async () => {
    const before = (await stored()).shapes.length;
    await open('single');
    await page.getByText('Choose a label, here or').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await press('2');
    await page.getByTestId('single-progress').getByText('1 of 1 here').waitFor();
    for (let frame = 0; frame < count; frame += 1) {
      await waitFrame(page, frame, count);
      await press('Escape');
      await drag(page, [0.3, 0.7], [0.4, 0.85]);
    }
    await page.getByText('Last frame done').waitFor();
    await page.getByTestId('single-progress').getByText('1 of 1 here').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await waitSaved(page);
    const { shapes } = await stored();
    expect(shapes).toHaveLength(before + count);
    expect(shapes.filter(({ label_id }) => label_id === ids[1]).map(({ frame }) => frame)).toEqual([
      0, 0, 1, 1, 2, 3, 4,
    ]);
  });

  it('need several of them if configured, and no mode leaves errors behind', async () => {
    await open('single');
    await press('1');
    const field = page.getByRole('textbox', { name: 'Shapes per frame' });
    await field.fill('4');
    await press('Enter');
    await page.getByTestId('single-progress').getByText('2 of 4 here').waitFor();
    await drag(page, [0.6, 0.7], [0.7, 0.85]);
    await page.getByTestId('single-progress').getByText('3 of 4 here').waitFor();
    await drag(page, [0.75, 0.7], [0.85, 0.85]);
    await waitFrame(page, 1, count);
    await press('t');
    await press('1');
    await page.locator('[data-testid="mode"][data-mode="standard"]').waitFor();
    await page.getByRole('toolbar', { name: 'Label for new shapes' }).waitFor();
  });
});
