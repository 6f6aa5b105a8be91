import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breaches, colorsAtRest, everyRule, ofColours } from './support/accessibility.ts';
import { everyScreen, screenNames, words, type Language, type Screen } from './support/every-screen.ts';
import { keyboardFaults, layoutFaults } from './support/faults.ts';
import { fill, type Filled } from './support/fill.ts';
import { followRequests, settled } from './support/settled.ts';
import { useWorkbench } from './support/workbench.ts';

/** Two hundred letters without a place to break. */
const long = 'NameWithoutEnd_'.repeat(14).slice(0, 200);

const workbench = await useWorkbench();
const { page, service, pageErrors } = workbench;
followRequests(page);
const project = await service.makeProject(long);
const task = await service.makeTask(long, { project_id: project });
for (let index = 0; index < 21; index += 1) {
  await service.createTask({
    name: `A name that no line has room for, camera north-east, late shift ${index}`,
    project_id: project,
  });
  await service.ask('POST', '/api/projects', { name: `project ${index}` });
}

interface Look {
  readonly size: (typeof sizes)[number];
  readonly theme: 'light' | 'dark';
}
const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 800, height: 600 },
] as const;
const themes = ['light', 'dark'] as const;
/**
 * Checks all combinations. By default each screen has all three sizes, both themes and one language, and its neighbour
 * has the other.
 */
const isWhole = process.env['LIMNER_EVERY_LOOK'] !== undefined;
const looksAt = (place: number): readonly Look[] =>
  sizes.flatMap((size, index) =>
    (isWhole ? themes : [themes[(place + index) % 2] ?? 'light']).map((theme) => ({ size, theme })),
  );

async function keepPicture(name: string): Promise<void> {
  const folder = process.env['LIMNER_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.png`) });
}

const languages = ['en', 'de'] as const;
const visits = languages.flatMap((language, index) =>
  screenNames.flatMap((name, place) => (isWhole || place % 2 === index ? [{ name, place, language }] : [])),
);

describe('the list of tasks', () => {
  it('shows twenty tasks in a window of 1080, in rows of 40 that do not move on hover', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.goto('/tasks');
    await settled(page);
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
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('is reachable from the first tab stop', async () => {
    await page.goto('/tasks');
    await settled(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });
});

describe('every screen', () => {
  let filled: Filled;
  beforeAll(async () => {
    filled = await fill(workbench);
  });
  afterAll(async () => {
    await filled?.close();
    await page.evaluate(() => localStorage.setItem('limner.language', 'en'));
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  let before: { readonly screen: Screen; readonly language: Language } | undefined;

  /** Navigates within the app; reloads only if something covers the previous screen. */
  async function goTo(screen: Screen, language: Language): Promise<void> {
    const isOther = before?.screen.path !== screen.path && before?.screen.open === undefined;
    if (before?.language === language && isOther) {
      await page.evaluate((path) => history.pushState(null, '', path), screen.path);
    } else {
      await page.evaluate((chosen) => localStorage.setItem('limner.language', chosen), language);
      await page.goto(screen.path);
    }
    before = { screen, language };
    await settled(page);
  }

  async function faultsOf(screen: Screen, language: Language, looks: readonly Look[]): Promise<string[]> {
    await goTo(screen, language);
    if (screen.open !== undefined) {
      await screen.open(page, words[language]);
      await settled(page);
    }
    const found: string[] = [];
    for (const [index, { size, theme }] of looks.entries()) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: theme });
      await colorsAtRest(page);
      await keepPicture(`${screen.name}-${size.width}-${theme}-${language}`);
      const faults = await layoutFaults(page, size.width);
      // Names and roles are equal in each combination. Colours depend on the theme, which alternates between
      // neighbours.
      if (isWhole || index < 2) faults.push(...(await breaches(page, index === 0 ? everyRule : ofColours)));
      if (isWhole || index === 0) faults.push(...(await keyboardFaults(page, screen.isCanvas)));
      found.push(...faults.map((fault) => `${screen.name}, ${size.width}, ${theme}, ${language}: ${fault}`));
    }
    if (!/^(.+ · )?Limner$/.test(await page.title())) found.push(`${screen.name}: called ${await page.title()}`);
    return found;
  }

  it.each(visits)(
    '$name in $language: names, roles, contrast, reachable controls, nothing clipped or misplaced',
    async ({ place, language }) => {
      const screen = everyScreen(filled)[place];
      if (screen === undefined) throw new Error('There is no such screen.');
      expect(await faultsOf(screen, language, looksAt(Math.floor(place / 2)))).toEqual([]);
      expect(pageErrors).toEqual([]);
    },
  );
});

describe('the window', () => {
  it('uses the font that comes with the program', async () => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
    const { root } = await devtools.send('DOM.getDocument');
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    expect(fonts.map(({ familyName, isCustomFont }) => ({ familyName, isCustomFont }))).toEqual([
      { familyName: expect.stringContaining('Inter') as string, isCustomFont: true },
    ]);
    expect(requested.filter((url) => !url.startsWith(workbench.server.url) && !url.startsWith('data:'))).toEqual([]);
  });
});

describe('a name of two hundred letters', () => {
  it.each([
    ['task', () => `/tasks/${task}`, 'Rename'],
    ['project', () => `/projects/${project}`, 'Rename'],
    ['task', () => `/tasks/${task}`, 'More'],
    ['project', () => `/projects/${project}`, 'More'],
  ] as const)('pushes no button of a %s out of view (%#)', async (_name, path, button) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 800, height: 600 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(path());
      const box = await page.getByRole('button', { name: button, exact: true }).first().boundingBox();
      expect(box).not.toBeNull();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
      await expect.poll(() => page.getByRole('heading', { level: 1 }).getByTitle(long).count()).toBeGreaterThan(0);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('stays on one line in the title of a dialog', async () => {
    await page.goto(`/tasks/${task}`);
    await page.getByRole('button', { name: 'Export' }).click();
    const title = page.getByRole('dialog').getByTitle(long);
    await title.waitFor();
    const [dialog, heading] = await Promise.all([
      page.getByRole('dialog').boundingBox(),
      page.getByRole('dialog').getByRole('heading').boundingBox(),
    ]);
    expect(heading?.height).toBeLessThan(30);
    // A line with room for what hangs below it.
    const { lineHeight } = await page
      .getByRole('dialog')
      .getByRole('heading')
      .evaluate((one) => ({ lineHeight: getComputedStyle(one).lineHeight }));
    expect(lineHeight).toBe('24px');
    expect((heading?.x ?? 0) + (heading?.width ?? 0)).toBeLessThan((dialog?.x ?? 0) + (dialog?.width ?? 0));
  });
});
