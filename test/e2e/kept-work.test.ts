import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, jobOf } from './support/make-task.ts';
import { clickPlaces, drag } from './support/pointer.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench();
  await dropNewTask(workbench, 'harbour', 2);
  await typeLabel(workbench.page, 'boat');
});
afterEach(() => workbench?.close());

interface Stored {
  readonly id: number;
  readonly type: string;
  readonly frame: number;
  readonly points: readonly number[];
}
async function stored(): Promise<readonly Stored[]> {
  const answer = await workbench.page.request.get(`/api/jobs/${jobOf(workbench)}/annotations/`);
  return ((await answer.json()) as { shapes: readonly Stored[] }).shapes;
}
const objects = () => workbench.page.getByTestId('object');

/** What is kept on disk of the job: steps of the history, half-drawn shapes by how many numbers they have. */
const kept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ steps: number; halfDrawn: number[]; unnamed: number }>((resolve) => {
        const opening = indexedDB.open('limner-work');
        opening.addEventListener('success', () => {
          const database = opening.result;
          const all = database.transaction('work').objectStore('work').getAll();
          all.addEventListener('success', () => {
            database.close();
            type HalfDrawn = [frame: number, shape: { points: number[] }];
            type Row = { at: number; commands: unknown[]; halfDrawn: HalfDrawn[]; unnamed: unknown[] };
            const row = (all.result as Row[]).toSorted((a, b) => a.at - b.at).at(-1);
            resolve({
              steps: row?.commands.length ?? 0,
              halfDrawn: row?.halfDrawn.map(([, { points }]) => points.length) ?? [],
              unnamed: row?.unnamed.length ?? 0,
            });
          });
        });
      }),
  );

async function reload(): Promise<void> {
  await workbench.page.reload();
  await waitFrame(workbench.page, 0, 2);
}

describe('the history of the undo', () => {
  it('goes on after a reload, over objects that were made before it', async () => {
    const { page } = workbench;
    await page.keyboard.press('w');
    await drag(page, [0.1, 0.2], [0.2, 0.5]);
    await drag(page, [0.5, 0.2], [0.6, 0.5]);
    await page.keyboard.press('Escape');
    await objects().first().click();
    await page.keyboard.press('Shift+ArrowRight');
    await waitSaved(page);
    await expect.poll(async () => (await kept(page)).steps).toBe(3);
    const before = await stored();
    await reload();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
    await expect.poll(() => objects().count()).toBe(0);
    await expect.poll(stored).toEqual([]);
    await waitSaved(page);
    await reload();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+y');
    await expect.poll(() => objects().count()).toBe(2);
    const places = (shapes: readonly Stored[]) => shapes.map(({ points }) => points);
    await expect.poll(async () => places(await stored())).toEqual(places(before));
  });

  it('leaves alone what was changed elsewhere meanwhile, and says so', async () => {
    const { page } = workbench;
    await page.keyboard.press('w');
    await drag(page, [0.1, 0.2], [0.2, 0.5]);
    await waitSaved(page);
    await expect.poll(async () => (await kept(page)).steps).toBe(1);
    const address = page.url();
    const [shape] = await stored();
    const job = jobOf(workbench);
    await page.goto('about:blank');
    const { url, authorization } = workbench.server;
    const answer = await fetch(`${url}/api/jobs/${job}/annotations/?action=update`, {
      method: 'PATCH',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ shapes: [{ ...shape, points: [1, 2, 30, 40] }], tags: [], tracks: [] }),
    });
    expect(answer.status).toBe(200);
    await page.goto(address);
    await waitFrame(page, 0, 2);
    await page.keyboard.press('Control+z');
    await page.getByText('This was changed elsewhere meanwhile').first().waitFor();
    expect(await stored()).toMatchObject([{ points: [1, 2, 30, 40] }]);
  });
});

describe('what is half drawn', () => {
  const corners = [
    [0.2, 0.2],
    [0.5, 0.2],
    [0.5, 0.6],
  ] as const;

  it('waits on its frame while another one is looked at', async () => {
    const { page } = workbench;
    await page.keyboard.press('Shift+p');
    await clickPlaces(page, corners.slice(0, 0 + 1));
    await clickPlaces(page, corners.slice(1, 1 + 1));
    await page.keyboard.press('f');
    await waitFrame(page, 1, 2);
    await page.getByText('What is half drawn waits on frame 0').waitFor();
    await page.keyboard.press('d');
    await waitFrame(page, 0, 2);
    await clickPlaces(page, corners.slice(2, 2 + 1));
    await page.keyboard.press('n');
    await waitSaved(page);
    expect(await stored()).toMatchObject([{ type: 'polygon', frame: 0, points: { length: 6 } }]);
  });

  it('is gone on with after the page crashed', async () => {
    const { page } = workbench;
    await page.keyboard.press('Shift+p');
    await clickPlaces(page, corners.slice(0, 0 + 1));
    await clickPlaces(page, corners.slice(1, 1 + 1));
    await expect.poll(async () => (await kept(page)).halfDrawn).toEqual([4]);
    const address = page.url();
    const session = await workbench.context.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    const again = await workbench.context.newPage();
    await again.goto(address);
    await waitFrame(again, 0, 2);
    await clickPlaces(again, corners.slice(2, 2 + 1));
    await again.keyboard.press('n');
    await waitSaved(again);
    expect(await stored()).toMatchObject([{ type: 'polygon', points: { length: 6 } }]);
    await again.close();
  });

  it('is a mask with its strokes after a reload', async () => {
    const { page } = workbench;
    await page.keyboard.press('Shift+Digit1');
    await drag(page, [0.3, 0.3], [0.5, 0.5]);
    await expect.poll(async () => (await kept(page)).halfDrawn).toHaveLength(1);
    await reload();
    await page.keyboard.press('n');
    await waitSaved(page);
    expect(await stored()).toMatchObject([{ type: 'mask', frame: 0 }]);
  });
});

describe('shapes that wait for a name', () => {
  it('wait through a reload, and are annotations once it is given', async () => {
    const { page } = workbench;
    await page.goto('/tasks');
    await dropNewTask(workbench, 'quay', 2);
    await page.keyboard.press('w');
    await drag(page, [0.2, 0.2], [0.4, 0.5]);
    await page.getByTestId('naming').waitFor();
    await expect.poll(async () => (await kept(page)).unnamed).toBe(1);
    await reload();
    await page.getByTestId('naming').fill('crane');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored()).map(({ type }) => type)).toEqual(['rectangle']);
    await expect.poll(() => objects().allTextContents()).toEqual([expect.stringContaining('crane')]);
  });
});
