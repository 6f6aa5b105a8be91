import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, jobOf } from './support/make-task.ts';
import { clickPlaces, drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const { context, folder, service } = await useWorkbench();
let page: Page;
beforeEach(async () => {
  page = await context.newPage();
  await page.goto('/tasks');
  await dropNewTask({ page, folder }, 'harbour', 2);
  await typeLabel(page, 'boat');
});
afterEach(() => page.close());

const job = () => jobOf({ page });
const stored = async () => (await service.annotations('jobs', job())).shapes;
const objects = () => page.getByTestId('object');

/** Stored work of the job: history steps, and drafts by their number of coordinates. */
const kept = () =>
  page.evaluate(
    (job) =>
      new Promise<{ steps: number; draft: number[]; unnamed: number }>((resolve) => {
        const opening = indexedDB.open('limner-work');
        opening.addEventListener('success', () => {
          const database = opening.result;
          const all = database.transaction('work').objectStore('work').getAll();
          all.addEventListener('success', () => {
            database.close();
            type Draft = [frame: number, shape: { points: number[] }];
            type Row = { jobId: number; at: number; commands: unknown[]; draft: Draft[]; unnamed: unknown[] };
            const rows = (all.result as Row[]).filter(({ jobId }) => jobId === job);
            const row = rows.toSorted((a, b) => a.at - b.at).at(-1);
            resolve({
              steps: row?.commands.length ?? 0,
              draft: row?.draft.map(([, { points }]) => points.length) ?? [],
              unnamed: row?.unnamed.length ?? 0,
            });
          });
        });
      }),
    job(),
  );

async function reload(): Promise<void> {
  await page.reload();
  await waitFrame(page, 0, 2);
}

describe('the history of the undo', () => {
  it('continues after a reload, over objects that were created before it', async () => {
    await page.keyboard.press('w');
    await drag(page, [0.1, 0.2], [0.2, 0.5]);
    await drag(page, [0.5, 0.2], [0.6, 0.5]);
    await page.keyboard.press('Escape');
    await objects().first().click();
    await page.keyboard.press('Shift+ArrowRight');
    await waitSaved(page);
    await expect.poll(async () => (await kept()).steps).toBe(3);
    const before = await stored();
    await reload();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
    await expect.poll(() => objects().count()).toBe(0);
    await expect.poll(stored).toEqual([]);
    await waitSaved(page);
    await reload();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+y');
    await expect.poll(() => objects().count()).toBe(2);
    const places = (shapes: readonly { readonly points: readonly number[] }[]) => shapes.map(({ points }) => points);
    await expect.poll(async () => places(await stored())).toEqual(places(before));
  });

  it('skips objects that were changed elsewhere since, and says so', async () => {
    await page.keyboard.press('w');
    await drag(page, [0.1, 0.2], [0.2, 0.5]);
    await waitSaved(page);
    await expect.poll(async () => (await kept()).steps).toBe(1);
    const address = page.url();
    const [shape] = await stored();
    const id = job();
    await page.goto('about:blank');
    await service.changeAnnotations('jobs', id, 'update', { shapes: [{ ...shape!, points: [1, 2, 30, 40] }] });
    await page.goto(address);
    await waitFrame(page, 0, 2);
    await page.keyboard.press('Control+z');
    await page.getByText('This object was changed elsewhere').first().waitFor();
    expect(await stored()).toMatchObject([{ points: [1, 2, 30, 40] }]);
  });
});

describe('what is half drawn', () => {
  const corners = [
    [0.2, 0.2],
    [0.5, 0.2],
    [0.5, 0.6],
  ] as const;

  it('waits on its frame while another one is shown', async () => {
    await page.keyboard.press('Shift+p');
    await clickPlaces(page, corners.slice(0, 2));
    await page.keyboard.press('f');
    await waitFrame(page, 1, 2);
    await page.getByText('Unfinished shape on frame 0').waitFor();
    await page.keyboard.press('d');
    await waitFrame(page, 0, 2);
    await clickPlaces(page, corners.slice(2));
    await page.keyboard.press('n');
    await waitSaved(page);
    expect(await stored()).toMatchObject([{ type: 'polygon', frame: 0, points: { length: 6 } }]);
  });

  it('continues after the page crashed', async () => {
    await page.keyboard.press('Shift+p');
    await clickPlaces(page, corners.slice(0, 2));
    await expect.poll(async () => (await kept()).draft).toEqual([4]);
    const address = page.url();
    const session = await context.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    page = await context.newPage();
    await page.goto(address);
    await waitFrame(page, 0, 2);
    await clickPlaces(page, corners.slice(2));
    await page.keyboard.press('n');
    await waitSaved(page);
    expect(await stored()).toMatchObject([{ type: 'polygon', points: { length: 6 } }]);
  });

  it('is a mask with its strokes after a reload', async () => {
    await page.keyboard.press('Shift+Digit1');
    await drag(page, [0.3, 0.3], [0.5, 0.5]);
    await expect.poll(async () => (await kept()).draft).toHaveLength(1);
    await reload();
    await page.keyboard.press('n');
    await waitSaved(page);
    expect(await stored()).toMatchObject([{ type: 'mask', frame: 0 }]);
  });
});

describe('shapes that wait for a name', () => {
  it('wait through a reload, and become annotations once it is given', async () => {
    await page.goto('/tasks');
    await dropNewTask({ page, folder }, 'quay', 2);
    await page.keyboard.press('w');
    await drag(page, [0.2, 0.2], [0.4, 0.5]);
    await page.getByTestId('naming').waitFor();
    await expect.poll(async () => (await kept()).unnamed).toBe(1);
    await reload();
    await page.getByTestId('naming').fill('crane');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored()).map(({ type }) => type)).toEqual(['rectangle']);
    await expect.poll(() => objects().allTextContents()).toEqual([expect.stringContaining('crane')]);
  });
});

it('the job opens if the browser does not return its saved drafts', async () => {
  await page.addInitScript(() => {
    // A request that never completes. A real one cannot be delayed on command.
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await page.reload();
  await waitFrame(page, 0, 2);
});
