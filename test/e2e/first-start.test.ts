import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project, Task } from '../../preload/contract/schema/resources.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { words, type Language } from './support/every-screen.ts';
import { keyboardFaults, layoutFaults } from './support/faults.ts';
import { repository } from './support/paths.ts';
import { followRequests, settled } from './support/settled.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service } = workbench;
followRequests(page);
const list = async <Item>(path: string): Promise<Item[]> =>
  (await service.ask<{ results: Item[] }>('GET', path)).results;

async function start(language: Language): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('limner.language', chosen), language);
  await page.goto('/');
  await page.getByRole('heading', { name: words[language].firstStart.title }).waitFor();
  await settled(page);
}

async function keepPicture(name: string): Promise<void> {
  const folder = process.env['LIMNER_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  // 1280 × 800 at 200 %.
  { width: 640, height: 400 },
];

describe('the first start', () => {
  it.each(['en', 'de'] as const)('shows the drop area and the sample without faults, in %s', async (language) => {
    await start(language);
    const faults: string[] = [];
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await keepPicture(`first-start-${size.width}-${colorScheme}-${language}`);
      }
      faults.push(...(await layoutFaults(page, size.width)));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    // The second check needs what the first one loads.
    faults.push(...(await breachesInBothThemes(page)), ...(await keyboardFaults(page)));
    expect(faults).toEqual([]);
  });

  it('says on the card why the sample cannot be opened, and opens it at the next try', async () => {
    await start('en');
    await page.route('**/sample/project.zip', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('button', { name: 'Open sample' }).click();
    await page.getByRole('alert').getByText('Cannot open the sample project').waitFor();
    await page.unroute('**/sample/project.zip');
    await page.getByRole('button', { name: 'Open sample' }).click();
    await page.waitForURL(/\/projects\/\d+/);
  });
});

describe('the sample project', () => {
  it('has the content that its card states', async () => {
    const tasks = await list<Task>('/api/tasks');
    const { size } = statSync(join(repository, 'renderer/public/sample/project.zip'));
    expect(tasks.map((task) => task.size).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([12, 60]);
    expect((size / 1e6).toFixed(1)).toBe('1.4');
  });

  it('has an object of each kind, attributes, a tag and tracks', async () => {
    const tasks = await list<Task>('/api/tasks');
    const found = await Promise.all(
      tasks.map((task) => service.ask<Annotations>('GET', `/api/tasks/${task.id}/annotations`)),
    );
    const shapes = found.flatMap((one) => one.shapes);
    expect(new Set(shapes.map(({ type }) => type))).toEqual(
      new Set(['rectangle', 'polygon', 'polyline', 'ellipse', 'mask', 'skeleton']),
    );
    expect(shapes.filter(({ attributes }) => attributes.length > 0).length).toBeGreaterThan(3);
    expect(found.flatMap((one) => one.tags)).toHaveLength(2);
    expect(found.flatMap((one) => one.tracks).map((track) => track.shapes.length)).toEqual([5, 5]);
  });

  it('has each object on the image that shows it', async () => {
    const [task] = (await list<Task>('/api/tasks')).filter(({ size }) => size === 12);
    const id = task?.id ?? 0;
    const names = (await service.meta('tasks', id)).frames?.map(({ name }) => name.replace(/_\d\.jpg$/, ''));
    const labels = new Map((await service.labels(id)).map((label) => [label.id, label.name]));
    const { shapes } = await service.ask<Annotations>('GET', `/api/tasks/${id}/annotations`);
    const placed = new Set(shapes.map(({ frame, label_id: label }) => `${labels.get(label)} in ${names?.[frame]}`));
    expect([...placed].toSorted()).toEqual([
      'bicycle in park',
      'bowl in fruit',
      'car in street',
      'dog in park',
      'fruit in fruit',
      'lane in street',
      'pedestrian in street',
      'person in park',
      'sign in street',
      'text in receipt',
    ]);
  });

  it('opens a job with its annotations', async () => {
    const [task] = (await list<Task>('/api/tasks')).filter(({ size }) => size === 12);
    const [job] = await list<{ id: number }>(`/api/jobs?task_id=${task?.id ?? 0}`);
    await page.goto(`/tasks/${task?.id ?? 0}/jobs/${job?.id ?? 0}?frame=3`);
    await waitFrame(page, 3, 12);
    await settled(page);
    await keepPicture('sample-frame');
  });

  it('is deleted like any project, and is then not offered again', async () => {
    const [project] = await list<Project>('/api/projects');
    await page.goto(`/projects/${project?.id ?? 0}`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => list<Task>('/api/tasks')).toEqual([]);
    await start('en');
    await page.getByText('Drop images, a video or a folder here').waitFor();
    expect(await page.getByRole('button', { name: 'Open sample' }).count()).toBe(0);
    await keepPicture('first-start-without-sample');
  });

  it('has a German name if the screens are German', async () => {
    await page.evaluate(() => localStorage.removeItem('limner.sample-opened'));
    await start('de');
    await page.getByRole('button', { name: 'Beispiel öffnen' }).click();
    await page.waitForURL(/\/projects\/\d+/);
    await page.getByRole('heading', { name: 'Beispielprojekt' }).waitFor();
  });
});

interface Annotations {
  readonly shapes: readonly {
    readonly type: string;
    readonly frame: number;
    readonly label_id: number;
    readonly attributes: readonly unknown[];
  }[];
  readonly tags: readonly unknown[];
  readonly tracks: readonly { readonly shapes: readonly unknown[] }[];
}

describe('a start', () => {
  it.each([
    ['the code of the list of tasks', 'the common code', /\/assets\/tasks-page-.*\.js$/, /\/assets\/start-.*\.js$/],
    ['the list of tasks', 'the code of its page', /\/api\/tasks\?/, /\/assets\/tasks-page-.*\.js$/],
  ])('requests %s before %s has arrived', async (_early, _late, early, late) => {
    const arrival = Promise.withResolvers<void>();
    await page.route(late, async (route) => {
      await arrival.promise;
      await route.continue();
    });
    const requested = page.waitForRequest(early);
    await page.goto('/', { waitUntil: 'commit' });
    await requested;
    arrival.resolve();
    await page.getByRole('main').waitFor();
    await page.unrouteAll();
  });
});
