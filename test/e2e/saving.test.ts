import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { downloadBy } from './support/files.ts';
import { dropNewTask, jobOf, storedIn, taskOf } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const { context, folder, service, kill, restart } = await useWorkbench();
/** One for each test: one of them is closed too early. */
let page: Page;
beforeEach(async () => {
  page = await context.newPage();
  await page.goto('/tasks');
  await dropNewTask({ page, folder }, 'harbour', 2);
  await typeLabel(page, 'boat');
  await page.keyboard.press('w');
});
afterEach(() => page.close());

const box = (at: number) => drag(page, [at, 0.2], [at + 0.08, 0.5]);
const saveState = () => page.getByTestId('save-state');
const lostBanner = () => page.getByRole('alert').filter({ hasText: 'The Limner service is not responding' });

describe('edits are kept', () => {
  it('stay in the window while the service is down, and are saved when it is back', async () => {
    await box(0.1);
    await waitSaved(page);
    await kill();
    await box(0.3);
    await box(0.5);
    await saveState().filter({ hasText: 'Not saved: the service is not responding' }).waitFor();
    await lostBanner().waitFor();
    await box(0.7);
    await expect.poll(() => page.getByTestId('object').count()).toBe(4);
    await restart();
    await waitSaved(page);
    await lostBanner().waitFor({ state: 'detached' });
    expect(await storedIn({ page, service })).toMatchObject({ shapes: { length: 4 }, tags: [] });
  });

  it('survive a closed window, and are saved when the job is opened again', async () => {
    await box(0.1);
    await waitSaved(page);
    const address = page.url();
    const job = jobOf({ page });
    await kill();
    await box(0.3);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+y');
    await box(0.5);
    await saveState().filter({ hasText: 'Not saved' }).waitFor();
    await page.close();

    await restart();
    page = await context.newPage();
    await page.goto(new URL('/tasks', address).href);
    await page.getByText('2 edits in job').waitFor();
    await page.getByRole('button', { name: 'Open job and save' }).click();
    await waitFrame(page, 0, 2);
    await waitSaved(page);
    await expect.poll(() => page.getByTestId('object').count()).toBe(3);
    expect(await storedIn({ page, service }, job)).toMatchObject({ shapes: { length: 3 }, tags: [] });
  });

  it('are saved once if the answer to a save is lost', async () => {
    let lost = 0;
    await page.route(/\/annotations\/\?action=create/, async (route) => {
      lost += 1;
      if (lost > 2) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await box(0.2);
    await box(0.4);
    await saveState().filter({ hasText: 'Not saved' }).waitFor();
    await waitSaved(page);
    expect(lost).toBeGreaterThan(2);
    expect(await storedIn({ page, service })).toMatchObject({ shapes: { length: 2 }, tags: [] });
  });

  it('wait until a full disk has space again', async () => {
    let full = true;
    await page.route(/\/annotations\/\?action=/, (route) =>
      full ? route.fulfill({ status: 507, json: { detail: 'The disk is full.' } }) : route.continue(),
    );
    await box(0.2);
    await saveState().filter({ hasText: 'Not saved: the disk is full' }).waitFor();
    full = false;
    await saveState().click();
    await page.getByRole('button', { name: 'Try now' }).click();
    await waitSaved(page);
    expect(await storedIn({ page, service })).toMatchObject({ shapes: { length: 1 }, tags: [] });
  });
});

describe('edits that cannot be sent say why', () => {
  it('signed out: the edits are saved after signing in elsewhere', async () => {
    const cookies = await context.cookies();
    await context.clearCookies();
    await box(0.2);
    await saveState().filter({ hasText: 'Not saved: you are signed out' }).waitFor();
    await context.addCookies(cookies);
    await waitSaved(page);
    expect(await storedIn({ page, service })).toMatchObject({ shapes: { length: 1 }, tags: [] });
  });

  it('the job was deleted: the drawings can be saved as a file', async () => {
    await service.ask('DELETE', `/api/tasks/${taskOf({ page })}`);
    await box(0.2);
    await saveState().filter({ hasText: 'Not saved: this job was deleted' }).waitFor();
    await saveState().click();
    const download = await downloadBy(page.getByRole('button', { name: 'Save a copy as a file', exact: true }));
    expect(download.suggestedFilename()).toMatch(/^limner-job-\d+-unsaved-edits\.json$/);
  });
});
