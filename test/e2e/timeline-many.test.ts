import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStreet, streetFrames, type Street } from './support/timeline-screen.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const count = 10_000;

describe('a timeline of 10,000 tracks', () => {
  let workbench: Workbench;
  let page: Page;
  let street: Street;

  beforeAll(async () => {
    workbench = await openWorkbench();
    page = workbench.page;
    street = await openStreet(workbench);
    const { client, task, job } = street;
    const [label] = await client.labels(task);
    const tracks = Array.from({ length: count }, (_, index) => {
      const frame = index % streetFrames;
      const points = [index % 300, 10, (index % 300) + 10, 20];
      const shape = { type: 'rectangle' as const, points };
      // Each is seen on one frame.
      const shapes = [
        { ...shape, frame },
        { ...shape, frame: frame + 1, outside: true },
      ].filter((one) => one.frame < streetFrames);
      return { label_id: label!.id, frame, shapes };
    });
    await client.replaceAnnotations('jobs', job, { tracks });
    await street.open();
  });
  afterAll(() => workbench?.close());

  const names = () => page.getByTestId('timeline-name');

  it('has rows for those in view only, wherever it is scrolled to', async () => {
    await names().first().waitFor();
    await expect.poll(() => names().first().textContent()).toBe('1car');
    await expect.poll(() => names().count()).toBeLessThan(20);
    await page.getByRole('group', { name: 'Tracks over time' }).evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    await names().getByText(String(count)).waitFor();
    await expect.poll(() => names().count()).toBeLessThan(20);
    const canvas = (await street.rows().boundingBox())!;
    // As high as its place.
    expect(canvas.height).toBeLessThan(200);
  });

  it('selects, edits and finds the last as it does the first', async () => {
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('9951');
    await expect.poll(() => names().allTextContents()).toEqual(['9951car']);
    const at = await street.placeOf(50, 0);
    await page.mouse.click(at.x, at.y);
    await street.onFrame(50);
    await street.drag(at, await street.placeOf(48, 0));
    const { client, job } = street;
    const first = async () => {
      await street.keyframes();
      return (await client.annotations('jobs', job)).tracks[9950]?.shapes.map(({ frame }) => frame);
    };
    await expect.poll(first).toEqual([48, 51]);
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await expect.poll(first).toEqual([50, 51]);
    expect(workbench.pageErrors).toEqual([]);
  });
});
