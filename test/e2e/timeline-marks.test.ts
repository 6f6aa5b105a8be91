import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { openStreet, type Street } from './support/timeline-screen.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

describe('marks of the timeline', () => {
  let workbench: Workbench;
  let page: Page;
  let street: Street;

  beforeAll(async () => {
    workbench = await openWorkbench();
    page = workbench.page;
    street = await openStreet(workbench);
    const { client, job } = street;
    const open = (frame: number, resolved = false) =>
      client.good('POST', '/api/issues', { json: { frame, position: [5, 5], job, message: 'Look again.', resolved } });
    await open(64);
    await open(64);
    await open(20, true);
    await client.good('PATCH', `/api/jobs/${job}/data/meta`, { json: { deleted_frames: [40, 41, 42] } });
    await street.open();
  });
  afterAll(() => workbench?.close());

  it('are there for issues, open ones and resolved ones, and go to their frames', async () => {
    await page.getByRole('button', { name: '2 issues, the first on frame 64' }).click();
    await street.onFrame(64);
    // Beside the number of the current frame it can still be pressed.
    await page.getByRole('button', { name: '2 issues, the first on frame 64' }).click();
    await page.getByRole('button', { name: 'Resolved issue on frame 20' }).focus();
    await page.keyboard.press('Enter');
    await street.onFrame(20);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('are there for deleted frames, and go to them', async () => {
    const ruler = (await page.getByTestId('timeline-ruler').boundingBox())!;
    const { x } = await street.placeOf(42, 0);
    // Beside the mark, nearer than a finger could tell.
    await page.mouse.click(x + ruler.width / 200 + 2, ruler.y + 32);
    await street.onFrame(42);
    await page.mouse.click(x + ruler.width / 200 + 2, ruler.y + 5);
    await street.onFrame(43);
  });

  it('say when issues could not be loaded, and come when it is tried again', async () => {
    await page.route('**/api/issues?*', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }));
    await page.reload();
    const again = page.getByRole('button', { name: 'Issues could not be loaded. Try again' });
    await again.waitFor();
    await expect.poll(() => page.getByTestId('issue-mark').count()).toBe(0);
    await page.unroute('**/api/issues?*');
    await again.click();
    await expect.poll(() => page.getByTestId('issue-mark').count()).toBe(2);
    await again.waitFor({ state: 'detached' });
    expect(workbench.pageErrors).toEqual([]);
  });
});
