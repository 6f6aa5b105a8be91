import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { goToFrame, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { clickPlaces, leaveCanvas } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 6;
const { page, service } = await useWorkbench();
const task = await service.makeTask('yard', {
  images: count,
  labels: [
    {
      name: 'car',
      attributes: [
        { name: 'colour', mutable: false, input_type: 'select', values: ['red', 'blue'], default_value: 'red' },
      ],
    },
    { name: 'person' },
  ],
});
const job = (await service.jobsOf(task))[0] ?? 0;
const [car, person] = await service.labels(task);
const { width = 0, height = 0 } = (await service.meta('jobs', job)).frames?.[0] ?? {};
const box = (label_id: number | undefined, frame: number, x: number, score: number) => ({
  type: 'rectangle',
  label_id,
  frame,
  score,
  points: [width * x, height * 0.4, width * (x + 0.1), height * 0.6],
});
const shapes = [
  box(car?.id, 0, 0.3, 0.9),
  box(car?.id, 0, 0.45, 0.3),
  box(person?.id, 0, 0.6, 0.5),
  box(person?.id, 1, 0.45, 0.5),
  box(car?.id, 3, 0.45, 0.4),
  box(person?.id, 5, 0.45, 0.5),
];
await service.good('PUT', `/api/jobs/${job}/annotations/`, { json: { shapes, tags: [], tracks: [] } });
await service.good('POST', '/api/issues', { json: { job, frame: 5, position: [1, 1], message: 'Look.' } });
await page.goto(`/tasks/${task}/jobs/${job}`);
await waitFrame(page, 0, count);

const rows = () => page.getByTestId('object');
const press = (key: string) => page.keyboard.press(key);

describe('the filter of objects', () => {
  it('is built in a form, and applies immediately to canvas and list', async () => {
    await expect.poll(() => rows().count()).toBe(3);
    await page.getByTestId('filter').click();
    const card = page.getByRole('dialog', { name: 'Filter' });
    await card.getByRole('button', { name: 'Add condition', exact: true }).click();
    await card.getByRole('combobox', { name: 'Values' }).click();
    await page.getByRole('option', { name: 'car' }).click();
    await expect.poll(() => rows().count()).toBe(2);
    await press('Escape');
    await card.getByRole('button', { name: 'Add condition', exact: true }).click();
    await card.getByRole('textbox', { name: 'Value', exact: true }).fill('0.5');
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByTestId('filter-banner').getByText('Current filter hides 2 here').waitFor();
    await page.getByTestId('filter').getByText('2 hidden').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('is saved by name, and equals JSON Logic', async () => {
    const card = page.getByRole('dialog', { name: 'Filter' });
    await card.getByRole('button', { name: 'Save as' }).click();
    await page.keyboard.type('Unsure cars');
    await press('Enter');
    await card.getByRole('button', { name: 'Unsure cars', exact: true, pressed: true }).waitFor();
    await card.getByText('JSON Logic').click();
    const text = card.getByRole('textbox', { name: 'JSON Logic' });
    expect(JSON.parse(await text.inputValue())).toEqual({
      and: [{ in: [{ var: 'label' }, ['car']] }, { '<': [{ var: 'score' }, 0.5] }],
    });
    await text.fill('{"==": [{"var": "votes"}, 1]}');
    await card.getByText(/Unknown field "votes"\. The previous filter is kept/).waitFor();
    await expect.poll(() => rows().count()).toBe(1);
    await text.fill('{"==": [{"var": "label"}, "person"]}');
    await expect.poll(() => rows().count()).toBe(1);
    await card.getByRole('button', { name: 'Unsure cars', exact: true }).click();
    await press('Escape');
    await card.waitFor({ state: 'detached' });
    await page.getByTestId('filter').getByText('Unsure cars').waitFor();
  });

  it('excludes hidden objects from the pointer and from "select all"', async () => {
    await clickPlaces(page, [[0.35, 0.5]]);
    await expect.poll(() => page.locator('[data-testid="object"][data-selected]').count()).toBe(0);
    await press('Control+a');
    await expect.poll(() => page.locator('[data-testid="object"][data-selected]').count()).toBe(1);
    await press('Escape');
    await leaveCanvas(page);
  });

  it('is opened, edited and switched off by the keyboard', async () => {
    await press('t');
    await press('c');
    await expect.poll(() => rows().count()).toBe(3);
    await expect.poll(() => page.getByTestId('filter-banner').count()).toBe(0);
    await press('t');
    await press('f');
    const card = page.getByRole('dialog', { name: 'Filter' });
    await card.waitFor();
    const saved = card.getByRole('button', { name: 'Unsure cars', exact: true });
    for (let step = 0; step < 8 && !(await saved.evaluate((it) => it === document.activeElement)); step += 1)
      await press('Tab');
    await press('Enter');
    await expect.poll(() => rows().count()).toBe(1);
    await press('Escape');
    await card.waitFor({ state: 'detached' });
    await page.getByTestId('filter').getByText('2 hidden').waitFor();
  });
});

describe('the way from frame to frame', () => {
  it('moves by the arrow keys over frames with a match, and says where it ends', async () => {
    await press('Escape');
    await press('Escape');
    await press('ArrowRight');
    await waitFrame(page, 3, count);
    await expect.poll(() => rows().count()).toBe(1);
    await press('ArrowRight');
    await page.getByText('No match on a later frame.').waitFor();
    await press('ArrowLeft');
    await waitFrame(page, 0, count);
  });

  it('counts matching objects in the job, and again after an edit', async () => {
    await press('t');
    await press('f');
    await page.getByTestId('filter-count').getByText('1 here, 2 in 2 frames').waitFor();
    await page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Next match' }).click();
    await waitFrame(page, 3, count);
    await press('Escape');
    await press('Control+a');
    await press('Delete');
    await waitSaved(page);
    await press('ArrowLeft');
    await waitFrame(page, 0, count);
    await press('ArrowRight');
    await page.getByText('No match on a later frame.').waitFor();
    await press('Control+z');
    await waitSaved(page);
    await press('t');
    await press('c');
  });

  it('moves over empty frames and over frames with an open issue', async () => {
    await goToFrame(page, 0, count);
    await press('t');
    await press('e');
    await waitFrame(page, 2, count);
    await press('t');
    await press('e');
    await waitFrame(page, 4, count);
    await press('t');
    await press('Shift+E');
    await waitFrame(page, 2, count);
    await press('t');
    await press('i');
    await waitFrame(page, 5, count);
    await press('t');
    await press('Shift+I');
    await page.getByText('No open issue on an earlier frame.').waitFor();
  });

  it('is found by number, by part of a file name and by label, by keys and by pointer', async () => {
    await press('Control+g');
    const search = page.getByRole('dialog', { name: 'Find frame' });
    await page.keyboard.type('*-003.jpg');
    await expect.poll(() => search.getByRole('option').count()).toBe(1);
    await press('Enter');
    await waitFrame(page, 3, count);
    await page.getByRole('button', { name: 'Find frame' }).click();
    await search.getByRole('combobox').fill('per');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await search.getByRole('option', { name: 'Next frame with person' }).click();
    await waitFrame(page, 5, count);
    await press('Control+g');
    await page.keyboard.type('image');
    await press('ArrowDown');
    await press('Enter');
    await waitFrame(page, 1, count);
    await press('Control+g');
    await press('Escape');
    await search.waitFor({ state: 'detached' });
  });
});
