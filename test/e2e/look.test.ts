import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { colorsAtRest } from './support/accessibility.ts';
import { misplaced } from './support/misplaced.ts';
import { createService } from './support/service.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

/** What all screens beside the canvas promise to the eye, measured. */
let workbench: Workbench;
const ids = { project: 0, task: 0, organization: 0 };
const long = 'Ein ziemlich langer Name einer Aufgabe, der auf keine Zeile passt, Kamera Nordost, Spätschicht';

beforeAll(async () => {
  workbench = await openWorkbench();
  const service = createService(workbench);
  ids.project = await service.makeProject(long);
  for (let index = 0; index < 19; index += 1) {
    await service.ask('POST', '/api/tasks', { name: `${long} ${index}`, project_id: ids.project });
  }
  ids.task = await service.makeTask(long, { project_id: ids.project });
  const lab = await service.ask<{ id: number }>('POST', '/api/organizations', { slug: 'lab', name: 'A lab' });
  ids.organization = lab.id;
});
afterAll(() => workbench?.close());

const screens = (): readonly (readonly [name: string, path: string])[] => [
  ['tasks', '/tasks'],
  ['nothing found', '/tasks?q=no+such+thing'],
  ['task', `/tasks/${ids.task}`],
  ['no such task', '/tasks/999999'],
  ['new task', '/tasks/new'],
  ['projects', '/projects'],
  ['project', `/projects/${ids.project}`],
  ['jobs', '/jobs'],
  ['requests', '/requests'],
  ['models', '/models'],
  ['webhooks', '/webhooks'],
  ['new webhook', '/webhooks/new'],
  ['receiver', '/webhooks/receiver'],
  ['organizations', '/organizations'],
  ['organization', `/organizations/${ids.organization}`],
  ['appearance', '/settings/appearance'],
  ['account', '/settings/account'],
  ['users', '/settings/users'],
  ['functions', '/settings/functions'],
  ['network', '/settings/network'],
  ['settings file', '/settings/file'],
  ['about', '/settings/about'],
  ['nowhere', '/nowhere'],
];

const sizes = {
  de: [{ width: 800, height: 600, left: 72, theme: 'light' }],
  en: [
    { width: 1280, height: 800, left: 96, theme: 'light' },
    { width: 1920, height: 1080, left: 248, theme: 'dark' },
  ],
} as const;
type Size = (typeof sizes)[keyof typeof sizes][number];

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** Elements whose text is cut at their edge without a sign of it, or without the whole text in a tooltip. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#content *')]
      .filter((one) => {
        const own = [...one.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '');
        const style = getComputedStyle(one);
        const isHidden = style.clip !== 'auto' || one.closest('[aria-hidden]') !== null;
        if (!own || isHidden || one instanceof HTMLInputElement) return false;
        if (style.overflowX === 'visible' || style.overflowX === 'auto' || style.overflowX === 'scroll') return false;
        if (one.scrollWidth <= one.clientWidth) return false;
        return style.textOverflow !== 'ellipsis' || one.closest('[title]') === null;
      })
      .map((one) => `${one.tagName}.${one.className}: ${one.textContent}`),
  );

/** What is wrong with the screen that is shown, once it has the size. */
async function faultsAt(page: Page, name: string, { width, height, left, theme }: Size): Promise<string[]> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
  await colorsAtRest(page);
  const pictures = process.env['LIMNER_PICTURES'];
  if (pictures !== undefined) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name.replaceAll(' ', '-')}-${width}-${theme}.png`) });
  }
  const found = [...(await misplaced(page)), ...(await cutTexts(page))];
  const box = await page.locator('h1').first().boundingBox();
  if (box?.x !== left || box.y !== 34) found.push(`the title stands at ${box?.x}, ${box?.y}`);
  const wide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('#content, #content > *')].some(
      (one) => one.scrollWidth > one.clientWidth,
    ),
  );
  if (wide) found.push('wider than its window');
  const lit = await page.locator('nav[aria-label] [data-active]').count();
  if (lit === 0 && name !== 'nowhere') found.push('nothing is lit in the rail');
  return found.map((fault) => `${name}, ${width} × ${height}, ${theme}: ${fault}`);
}

describe.each(['de', 'en'] as const)('in the language %s', (language) => {
  it('has one left edge, one height of titles, nothing beyond the window, no overlap and no text that is cut unseen', async () => {
    const { page } = workbench;
    await page.evaluate((chosen) => localStorage.setItem('limner.language', chosen), language);
    const found: string[] = [];
    for (const [name, path] of screens()) {
      await page.setViewportSize(sizes[language][0]);
      await show(page, path);
      for (const size of sizes[language]) found.push(...(await faultsAt(page, name, size)));
    }
    expect(found).toEqual([]);
  });
});

describe('the list of tasks', () => {
  it('shows twenty tasks in a window of 1080, in rows of 40 that do not move when they are pointed at', async () => {
    const { page } = workbench;
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
    const { page } = workbench;
    await show(page, '/tasks');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });
});
