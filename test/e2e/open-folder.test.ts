import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeImage } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { goToFrame, typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { jobOf, storedShapes, taskOf } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, context, folder } = workbench;

/** Enough files that they are still being read after a box was drawn. */
const frames = 20_000;
const photos = join(folder, 'photos');
const isBad = (frame: number): boolean => frame % 1000 === 999;
const nameOf = (frame: number): string => `photo-${String(frame).padStart(5, '0')}.jpg`;

beforeAll(async () => {
  mkdirSync(photos);
  const image = join(folder, 'image.jpg');
  writeFileSync(image, await makeImage({ width: 640, height: 480 }));
  for (let frame = 0; frame < frames; frame += 1) {
    const file = join(photos, nameOf(frame));
    if (isBad(frame)) writeFileSync(file, 'text');
    else linkSync(image, file);
  }
});

async function openPhotos(): Promise<{ request: string }> {
  await page.goto('/tasks/new');
  await page.getByText('On the server', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Paths', exact: true }).fill(photos);
  await page.getByRole('button', { name: 'Create and open' }).click();
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, frames);
  const { results } = await service.good<{ results: { id: string; operation: { task_id: number } }[] }>(
    'GET',
    '/api/requests',
  );
  return { request: results.find(({ operation }) => operation.task_id === taskOf(workbench))?.id ?? '' };
}

async function drawBox(window: Page): Promise<void> {
  await window.bringToFront();
  await typeLabel(window, 'boat');
  await window.keyboard.press('w');
  await drag(window, [0.3, 0.3], [0.5, 0.6]);
  await waitSaved(window);
}

const isReading = async (request: string): Promise<boolean> => {
  const { status } = await service.good<{ status: string }>('GET', `/api/requests/${request}`);
  return status === 'started';
};
const progressLine = (window: Page) => window.getByText(/^Reading images: [\d,]+ of 20,?000$/);
const picture = (window: Page) => window.getByTestId('frame-shown').getAttribute('data-picture');

describe('a folder on this computer', () => {
  it('takes a box on its first image while the others are read, and keeps the number of a file that is no image', async () => {
    const { request } = await openPhotos();
    await drawBox(page);
    await progressLine(page).waitFor();
    await page.getByRole('textbox', { name: 'Frame number' }).fill('17999');
    await page.keyboard.press('Enter');
    await page.getByText('photo-17999.jpg is not an image: it starts like text.').waitFor();
    await goToFrame(page, 18_000, frames);
    expect(await picture(page)).toBe('ready');
    await page.getByText(nameOf(18_000)).first().waitFor();
    expect(await isReading(request)).toBe(true);
    expect(await breachesInBothThemes(page)).toEqual([]);

    await page.getByText('20 of the files could not be used', { exact: false }).waitFor();
    await expect.poll(() => page.getByText(/^Reading images/).count()).toBe(0);
    await goToFrame(page, 18_001, frames);
    await page.getByText(nameOf(18_001)).first().waitFor();
    await goToFrame(page, 0, frames);
    await expect.poll(() => page.getByTestId('object').count()).toBe(1);
    expect((await storedShapes(workbench)).map(({ frame }) => frame)).toEqual([0]);
  });

  it('requests its job before the code of the page, and its first image before the thumbnails', async () => {
    await openPhotos();
    const strip = page.getByRole('listbox', { name: 'Frames of the job' });
    await page.keyboard.press('Alt+s');
    await strip.waitFor();
    const [job, address] = [jobOf(workbench), new URL(page.url()).pathname];
    await page.goto('/tasks');
    const [code, image] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = (held: RegExp, until: Promise<void>) =>
      page.route(held, async (route) => {
        await until;
        await route.continue();
      });
    await hold(/\/assets\/annotate-page-.*\.js$/, code.promise);
    await hold(/type=frame&number=0&/, image.promise);
    const requests: string[] = [];
    const note = (request: Request): void => void requests.push(request.url());
    const thumbnails = (): string[] => requests.filter((url) => url.endsWith('/thumbnail'));
    page.on('request', note);
    try {
      await page.goto(address, { waitUntil: 'commit' });
      await expect.poll(() => requests.some((url) => url.endsWith(`/api/jobs/${job}`))).toBe(true);
      code.resolve();
      await expect.poll(() => requests.some((url) => url.includes('type=frame&number=0&'))).toBe(true);
      await strip.getByRole('option').first().waitFor();
      expect(thumbnails()).toEqual([]);
      image.resolve();
      await waitFrame(page, 0, frames);
      await expect.poll(() => thumbnails().length).toBeGreaterThan(0);
    } finally {
      code.resolve();
      image.resolve();
      await page.unrouteAll();
      page.off('request', note);
    }
  });

  it('is annotated in two windows while it is read', async () => {
    const { request } = await openPhotos();
    const second = await context.newPage();
    await second.goto(page.url());
    await waitFrame(second, 0, frames);
    await progressLine(second).waitFor();
    await drawBox(page);
    await expect.poll(() => second.getByTestId('object').count()).toBe(1);
    expect(await isReading(request)).toBe(true);
    await Promise.all([page, second].map((window) => progressLine(window).waitFor({ state: 'detached' })));
    await second.close();
  });

  it('can be deleted while it is read', async () => {
    const { request } = await openPhotos();
    await progressLine(page).waitFor();
    await service.good('DELETE', `/api/tasks/${taskOf(workbench)}`);
    await progressLine(page).waitFor({ state: 'detached' });
    await expect.poll(() => isReading(request)).toBe(false);
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
  });

  it('continues after the service was killed, and keeps what was drawn', async () => {
    await openPhotos();
    await drawBox(page);
    await progressLine(page).waitFor();
    const job = jobOf(workbench);
    await workbench.kill();
    await workbench.restart();
    await progressLine(page).waitFor();
    await progressLine(page).waitFor({ state: 'detached' });
    await goToFrame(page, 19_000, frames);
    expect(await picture(page)).toBe('ready');
    expect((await service.annotations('jobs', job)).shapes).toHaveLength(1);
    expect((await service.meta('jobs', job)).frames?.filter(({ width }) => width === 0)).toHaveLength(20);
  });
});
