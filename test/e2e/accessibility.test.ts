import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { createService, type Service } from './support/service.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

/** Two hundred letters without a place to break. */
const long = 'NameWithoutEnd_'.repeat(14).slice(0, 200);

let workbench: Workbench;
let service: Service;
const ids = { project: 0, task: 0, empty: 0, job: 0, organization: 0, webhook: 0 };
beforeAll(async () => {
  workbench = await openWorkbench();
  service = createService(workbench);
  ids.project = await service.makeProject(long);
  ids.task = await service.makeTask(long, { project_id: ids.project });
  ids.job = (await service.jobsOf(ids.task))[0] ?? 0;
  ids.empty = (await service.ask<{ id: number }>('POST', '/api/tasks', { name: long, labels: [{ name: 'x' }] })).id;
  // More than one page of everything that has pages.
  for (let index = 0; index < 21; index += 1) {
    await service.ask('POST', '/api/tasks', { name: `task ${index}`, labels: [{ name: 'thing' }] });
    await service.ask('POST', '/api/projects', { name: `project ${index}` });
  }
  ids.organization = (
    await service.ask<{ id: number }>('POST', '/api/organizations', { slug: 'lab', name: 'A lab' })
  ).id;
  ids.webhook = (
    await service.ask<{ id: number }>('POST', '/api/webhooks', {
      target_url: 'http://127.0.0.1:9/hook',
      events: ['update:task'],
      type: 'project',
      project_id: ids.project,
      content_type: 'application/json',
      enable_ssl: false,
      is_active: true,
      description: long.slice(0, 100),
    })
  ).id;
});
afterAll(() => workbench?.close());

const screens: readonly (readonly [name: string, path: () => string])[] = [
  ['tasks', () => '/tasks'],
  ['the second page of tasks', () => '/tasks?page=2'],
  ['nothing found', () => '/tasks?q=nothing+of+that+name'],
  ['task', () => `/tasks/${ids.task}`],
  ['issues', () => `/tasks/${ids.task}?tab=issues`],
  ['task without images', () => `/tasks/${ids.empty}`],
  ['no such task', () => '/tasks/999999'],
  ['new task', () => '/tasks/new'],
  ['annotate', () => `/tasks/${ids.task}/jobs/${ids.job}`],
  ['projects', () => '/projects'],
  ['project', () => `/projects/${ids.project}`],
  ['jobs', () => '/jobs'],
  ['requests', () => '/requests'],
  ['models', () => '/models'],
  ['new model', () => '/models/new'],
  ['webhooks', () => '/webhooks'],
  ['webhook', () => `/webhooks/${ids.webhook}`],
  ['new webhook', () => '/webhooks/new'],
  ['receiver', () => '/webhooks/receiver'],
  ['organizations', () => '/organizations'],
  ['organization', () => `/organizations/${ids.organization}`],
  ['appearance', () => '/settings/appearance'],
  ['account', () => '/settings/account'],
  ['API access', () => '/settings/api-access'],
  ['analytics, switched off', () => '/analytics'],
  ['the switch of analytics', () => '/settings/analytics'],
  ['about', () => '/settings/about'],
  ['an address that leads nowhere', () => '/nowhere'],
  ['no such settings', () => '/settings/nowhere'],
  ['sign in', () => '/sign-in'],
  ['join', () => '/join'],
];

describe('every screen', () => {
  it.each(screens)('%s: names, roles, landmarks and contrast in both themes', async (_name, path) => {
    const { page } = workbench;
    await page.goto(path());
    await page.waitForLoadState('networkidle');
    await page.locator('h1').first().waitFor({ state: 'attached' });
    expect(await breachesInBothThemes(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => document.title)).toMatch(/^(.+ · )?Limner$/);
  });

  it('is set in the font that comes with the program', async () => {
    const { page } = workbench;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/tasks');
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
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
    expect(asked.filter((url) => !url.startsWith(workbench.server.url) && !url.startsWith('data:'))).toEqual([]);
  });
});

describe('a name of two hundred letters', () => {
  it.each([
    ['task', () => `/tasks/${ids.task}`, 'Rename'],
    ['project', () => `/projects/${ids.project}`, 'Rename'],
    ['task', () => `/tasks/${ids.task}`, 'More'],
    ['project', () => `/projects/${ids.project}`, 'More'],
  ] as const)('pushes no button of a %s away (%#)', async (_name, path, button) => {
    const { page } = workbench;
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

  it('keeps to one line in the title of a dialog', async () => {
    const { page } = workbench;
    await page.goto(`/tasks/${ids.task}`);
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
