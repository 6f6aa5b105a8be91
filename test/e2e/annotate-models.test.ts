import { afterAll, describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { goToFrame, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { storedIn, storedShapes } from './support/make-task.ts';
import { startModelEndpoints, type EndpointModel, type ModelEndpoints } from './support/model-endpoints.ts';
import { clickPlaces, leaveCanvas, placeOf } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const size = { width: 320, height: 240 };
const count = 6;

const found = (label: string, points: number[], confidence: number) => ({
  label,
  type: 'rectangle',
  points,
  confidence: String(confidence),
});
/** A disc around the first positive point, minus a disc around each negative point. */
const discs = (positive: number[][], negative: number[][]): number[][] =>
  Array.from({ length: size.height }, (_row, y) =>
    Array.from({ length: size.width }, (_pixel, x) => {
      const near = ([px = 0, py = 0]: number[], radius: number) => Math.hypot(px - x, py - y) < radius;
      return positive.some((point) => near(point, 50)) && !negative.some((point) => near(point, 30)) ? 255 : 0;
    }),
  );

/**
 * Holds back the answers of models after the first `left`, until it is opened, so that a test can check the running
 * state.
 */
const gate = { left: Infinity, waiting: [] as (() => void)[] };
const holdAfter = (answers: number) => (gate.left = answers);
const open = () => {
  gate.left = Infinity;
  for (const go of gate.waiting.splice(0)) go();
};
async function pass(): Promise<void> {
  if (gate.left <= 0) await new Promise<void>((go) => gate.waiting.push(go));
  else gate.left -= 1;
}
const models: readonly EndpointModel[] = [
  {
    name: 'street-detector',
    annotations: {
      name: 'Street detector',
      type: 'detector',
      spec: JSON.stringify([
        { id: 0, name: 'Cars', type: 'rectangle' },
        { id: 1, name: 'person', type: 'rectangle' },
        { id: 2, name: 'kite', type: 'rectangle' },
      ]),
    },
    run: async () => {
      await pass();
      return [
        found('Cars', [20, 30, 120, 110], 0.91),
        found('person', [150, 40, 200, 160], 0.72),
        found('Cars', [220, 120, 300, 200], 0.35),
        found('kite', [5, 5, 15, 15], 0.99),
      ];
    },
  },
  {
    name: 'pointer',
    annotations: { name: 'Pointer', type: 'interactor', min_pos_points: '1', min_neg_points: '0', spec: '' },
    run: ({ pos_points: positive, neg_points: negative }) => ({
      mask: discs(positive as number[][], negative as number[][]),
    }),
  },
  {
    name: 'follower',
    annotations: { name: 'Follower', type: 'tracker', supported_shape_types: 'rectangle,polygon', spec: '' },
    run: async ({ shapes, states }) => {
      await pass();
      const followed = states as { points: number[]; type: string }[];
      const now =
        followed.length > 0
          ? followed.map(({ type, points }) => ({ type, points: points.map((value) => value + 4) }))
          : (shapes as { points: number[]; type: string }[]);
      return { shapes: now, states: now };
    },
  },
];

const workbench = await useWorkbench();
const { page, service } = workbench;
const task = await service.makeTask('street', { images: count });
await service.ask('PATCH', `/api/tasks/${task}`, {
  labels: [{ name: 'car' }, { name: 'person', type: 'rectangle' }],
});
const [job] = await service.jobsOf(task);
await page.goto(`/tasks/${task}/jobs/${job}`);
await waitFrame(page, 0, count);
let endpoints: ModelEndpoints;
afterAll(() => endpoints?.close());

const stored = () => storedShapes(workbench);
const storedTracks = async () => {
  await waitSaved(page);
  return (await storedIn(workbench)).tracks;
};
const suggestions = () => page.getByTestId('suggestion');
const panel = () => page.getByRole('complementary');
const openPanel = () => page.getByTestId('models-open').click();

async function chooseModel(name: string): Promise<void> {
  await panel().getByRole('combobox', { name: 'Model', exact: true }).click();
  await page.getByRole('option', { name }).click();
}

describe('model functions on the annotation screen', () => {
  it('say what to do if no model is deployed', async () => {
    await openPanel();
    await page.getByTestId('no-models').getByRole('link', { name: 'Open the Models page' }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    endpoints = await startModelEndpoints(service, models);
    await page.reload();
    await waitFrame(page, 0, count);
  });

  it('proposes what a detector finds: two are accepted, one rejected, and nothing else is stored', async () => {
    await openPanel();
    await page.getByText('Labels: 2 of 3 used').waitFor();
    await page.getByTestId('detector-run').click();
    await expect.poll(() => suggestions().count()).toBe(3);
    await expect.poll(() => suggestions().allTextContents()).toEqual(['car91 %', 'person72 %', 'car35 %']);
    expect(await stored()).toEqual([]);
    await expect.poll(() => page.getByRole('tab', { name: /^Objects/ }).textContent()).toBe('Objects');
    expect(await breachesInBothThemes(page)).toEqual([]);

    await page.keyboard.press('Enter');
    await expect.poll(() => suggestions().count()).toBe(2);
    await page.getByTestId('suggestion-buttons').getByRole('button', { name: 'Accept suggestion' }).click();
    await expect.poll(() => suggestions().count()).toBe(1);
    await suggestions().getByRole('button', { name: 'Reject car' }).click();
    await expect.poll(() => suggestions().count()).toBe(0);

    const expected = [
      { frame: 0, source: 'auto', score: 0.91, points: [20, 30, 120, 110] },
      { frame: 0, source: 'auto', score: 0.72, points: [150, 40, 200, 160] },
    ];
    expect(await stored()).toMatchObject(expected);
    await page.reload();
    await waitFrame(page, 0, count);
    await expect.poll(() => page.getByTestId('object').count()).toBe(2);
    expect(await stored()).toMatchObject(expected);
  });

  it('undoes an acceptance and repeats it', async () => {
    await page.keyboard.press('f');
    await waitFrame(page, 1, count);
    await openPanel();
    await page.getByTestId('detector-run').click();
    await expect.poll(() => suggestions().count()).toBe(3);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored()).length).toBe(3);
    await page.keyboard.press('Control+z');
    await expect.poll(() => suggestions().count()).toBe(3);
    await expect.poll(async () => (await stored()).length).toBe(2);
    await page.keyboard.press('Control+y');
    await expect.poll(async () => (await stored()).length).toBe(3);
    await expect.poll(() => suggestions().count()).toBe(2);
  });

  it('filters by score afterwards, moves with the arrow keys, and keeps open suggestions over frames and a reload', async () => {
    const filter = panel().getByRole('slider', { name: 'Minimum score' });
    await filter.focus();
    for (let step = 0; step < 50; step += 1) await filter.press('ArrowRight');
    await expect.poll(() => suggestions().count()).toBe(1);
    await page.getByText('1 more is below this score').waitFor();
    await filter.press('Home');
    await expect.poll(() => suggestions().count()).toBe(2);
    await page.keyboard.press('Escape');
    await filter.blur();

    await suggestions().first().click();
    const selected = page.locator('[data-testid="suggestion"][data-selected]');
    await expect.poll(() => selected.textContent()).toContain('person');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selected.textContent()).toContain('car');

    await page.keyboard.press('f');
    await waitFrame(page, 2, count);
    await page.getByTestId('suggestions-elsewhere').getByText('2 suggestions on other frames').waitFor();
    await page.waitForURL(/frame=2/);
    await page.reload();
    await waitFrame(page, 2, count);
    await openPanel();
    await page.getByRole('button', { name: 'Go to frame 1' }).click();
    await waitFrame(page, 1, count);
    await expect.poll(() => suggestions().count()).toBe(2);
    await suggestions().first().click();
    await page.keyboard.press('Shift+Delete');
    await expect.poll(() => suggestions().count()).toBe(0);
    expect(await stored()).toHaveLength(3);
  });

  it('annotates the complete task with progress, and can be cancelled and resumed', async () => {
    holdAfter(1);
    await panel().getByText('Entire task').click();
    await page.getByTestId('detector-run').click();
    const progress = page.getByTestId('task-run-progress');
    await expect.poll(() => progress.textContent()).not.toBe('0 %');
    await page.getByTestId('task-run').getByRole('button', { name: 'Cancel' }).click();
    await page
      .getByTestId('task-run-end')
      .getByText(/^Cancelled\./)
      .waitFor();
    const kept = await stored();
    open();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByTestId('task-run-end').getByText(`Annotated ${count} of ${count} frames`).waitFor();
    const all = await stored();
    expect(all.length).toBe(3 + 3 * count);
    expect(all.length).toBeGreaterThan(kept.length);
    expect(new Set(all.map(({ frame }) => frame)).size).toBe(count);
    // Earlier drawings are still on screen, and new ones are shown without a reload.
    await expect.poll(() => page.getByRole('tab', { name: /^Objects/ }).textContent()).toBe('Objects4');
  });

  it('outlines an object by a positive and a negative point', async () => {
    await page.keyboard.press('f');
    await page.keyboard.press('f');
    await page.keyboard.press('f');
    await page.keyboard.press('f');
    await waitFrame(page, 5, count);
    const before = await stored();
    await chooseModel('Pointer');
    await page.getByTestId('interact').click();
    await page.getByRole('button', { name: 'Stop segmenting' }).waitFor();
    await clickPlaces(page, [await placeOf(page, size, [150, 120])]);
    await expect.poll(() => endpoints.calls.get('pointer')?.length).toBe(1);
    await clickPlaces(page, [await placeOf(page, size, [190, 120])], 'right');
    await expect.poll(() => endpoints.calls.get('pointer')?.length).toBe(2);
    const last = endpoints.calls.get('pointer')?.at(-1) as { pos_points: number[][]; neg_points: number[][] };
    expect(last.pos_points[0]?.[0]).toBeCloseTo(150, -1);
    expect(last.neg_points[0]?.[0]).toBeCloseTo(190, -1);
    expect(await breachesInBothThemes(page)).toEqual([]);
    expect(await stored()).toHaveLength(before.length);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored()).length).toBe(before.length + 1);
    const polygon = (await stored()).find(({ type }) => type === 'polygon');
    expect(polygon).toMatchObject({ frame: 5, source: 'semi-auto' });
    const rights = (polygon?.points ?? []).filter((_value, index) => index % 2 === 0);
    expect(Math.min(...rights)).toBeLessThan(110);
    expect(Math.max(...rights)).toBeLessThan(198);

    // The tool is still active; Escape discards the preview.
    await clickPlaces(page, [await placeOf(page, size, [60, 200])]);
    await expect.poll(() => endpoints.calls.get('pointer')?.length).toBe(3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    expect(await stored()).toHaveLength(before.length + 1);
    await page.keyboard.press('Escape');
    await page.getByTestId('interact').getByText('Start segmenting').waitFor();
  });

  it('accepts an outline as a mask on request', async () => {
    await panel().getByText('Mask', { exact: true }).click();
    await page.getByTestId('interact').click();
    await clickPlaces(page, [await placeOf(page, size, [60, 180])]);
    await expect.poll(() => endpoints.calls.get('pointer')?.length).toBe(4);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored()).filter(({ type }) => type === 'mask').length).toBe(1);
    await page.keyboard.press('Escape');
  });

  it('follows a selected shape into the next frames as a track, and one undo removes it', async () => {
    await goToFrame(page, 0, count);
    await page.getByRole('tab', { name: /^Objects/ }).click();
    await page.getByTestId('object').first().click();
    await openPanel();
    await chooseModel('Follower');
    await panel().getByRole('textbox', { name: 'Number of frames' }).fill('3');
    expect(await breachesInBothThemes(page)).toEqual([]);
    const before = await stored();
    await page.getByTestId('track').click();
    await page.getByTestId('model-note').getByText('Tracked 1 object through 3 of 3 frames').waitFor();
    await expect.poll(async () => (await stored()).length).toBe(before.length - 1);
    const [track] = await storedTracks();
    expect(track).toMatchObject({ frame: 0, source: 'auto' });
    expect(track?.shapes.map(({ frame }) => frame)).toEqual([0, 1, 2, 3]);
    // A run from the last frame continues with the tracker's state, without the object's initial shape.
    const isShown = () =>
      (endpoints.calls.get('follower') ?? []).filter((body) => (body['states'] as unknown[]).length === 0).length;
    expect(isShown()).toBe(1);
    for (let frame = 1; frame <= 3; frame += 1) await page.keyboard.press('f');
    await waitFrame(page, 3, count);
    await panel().getByRole('textbox', { name: 'Number of frames' }).fill('2');
    await page.getByTestId('track').click();
    await page.getByTestId('model-note').getByText('Tracked 1 object through 2 of 2 frames').waitFor();
    expect((await storedTracks())[0]?.shapes.map(({ frame }) => frame)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(isShown()).toBe(1);
    expect(isShown()).toBe(1);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    const withoutIds = async () => (await stored()).map(({ id: _id, ...shape }) => JSON.stringify(shape)).toSorted();
    const all = before.map(({ id: _id, ...shape }) => JSON.stringify(shape)).toSorted();
    await expect.poll(withoutIds).toEqual(all);
    expect(await storedTracks()).toEqual([]);
  });

  it('stops a tracker, and keeps the results so far', async () => {
    await page.getByRole('tab', { name: /^Objects/ }).click();
    await page.getByTestId('object').first().click();
    await openPanel();
    holdAfter(2);
    await panel().getByRole('textbox', { name: 'Number of frames' }).fill('5');
    await page.getByTestId('track').click();
    await page
      .getByTestId('tracking')
      .getByText(/^Frame [1-4] of 5/)
      .waitFor();
    await page.getByTestId('tracking').getByRole('button', { name: 'Cancel' }).click();
    await page
      .getByTestId('model-note')
      .getByText(/^Stopped\./)
      .waitFor();
    await expect.poll(async () => (await storedTracks()).length).toBe(1);
    const found = (await storedTracks())[0]?.shapes.length ?? 0;
    expect(found).toBeGreaterThan(1);
    expect(found).toBeLessThan(6);
    open();
    await leaveCanvas(page);
  });

  it('reports a failing model, and changes nothing', async () => {
    const before = await stored();
    await endpoints.close();
    await chooseModel('Street detector');
    await panel().getByText('This frame').click();
    await page.getByTestId('detector-run').click();
    await page.getByTestId('model-note').getByText('“Street detector” returned no result').waitFor();
    expect(await stored()).toEqual(before);
  });
});
