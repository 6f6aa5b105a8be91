import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { followRequests, settled } from './support/settled.ts';
import { useWorkbench } from './support/workbench.ts';

/** What lists promise to the eye, measured; what all screens promise stands in `accessibility.test.ts`. */
const long = 'Ein ziemlich langer Name einer Aufgabe, der auf keine Zeile passt, Kamera Nordost, Spätschicht';

const { page, service } = await useWorkbench();
followRequests(page);
const project = await service.makeProject(long);
for (let index = 0; index < 20; index += 1) {
  await service.ask('POST', '/api/tasks', { name: `${long} ${index}`, project_id: project });
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

describe('the list of tasks', () => {
  it('shows twenty tasks in a window of 1080, in rows of 40 that do not move when they are pointed at', async () => {
    await page.evaluate(() => localStorage.setItem('limner.language', 'en'));
    await page.setViewportSize({ width: 1920, height: 1080 });
    await show(page, '/tasks');
    const rows = page.locator('#content').getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(20);
    const boxes = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON() as DOMRect));
    const before = await boxes();
    expect(new Set(before.map((box) => box.height))).toEqual(new Set([40]));
    const footer = await page.locator('footer').boundingBox();
    expect(before.at(-1)?.bottom).toBeLessThanOrEqual(footer?.y ?? 0);
    const parts = () =>
      rows
        .nth(3)
        .locator('*')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    const still = await parts();
    await rows.nth(3).hover();
    expect(await parts()).toEqual(still);
    expect(await boxes()).toEqual(before);
  });

  it('is reached from the first stop of the keyboard', async () => {
    await show(page, '/tasks');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });
});
