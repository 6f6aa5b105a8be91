import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let workbench: Workbench;
let second: Page;
beforeEach(async () => {
  workbench = await openWorkbench();
  await dropNewTask(workbench, 'harbour', 2);
  await typeLabel(workbench.page, 'boat');
  await workbench.page.keyboard.press('w');
  await drag(workbench.page, [0.1, 0.2], [0.2, 0.5]);
  await waitSaved(workbench.page);
  second = await workbench.context.newPage();
  await second.goto(workbench.page.url());
  await waitFrame(second, 0, 2);
});
afterEach(() => workbench?.close());

const objects = (page: Page) => page.getByTestId('object').count();

it('what one window does is seen in the other, whose selection and history stay', async () => {
  const { page } = workbench;
  await second.bringToFront();
  await second.getByTestId('object').first().click();
  await second.keyboard.press('o');
  await waitSaved(second);
  await page.bringToFront();
  await page.keyboard.press('w');
  await drag(page, [0.5, 0.2], [0.6, 0.5]);
  await expect.poll(() => objects(second)).toBe(2);
  await second.bringToFront();
  await second.keyboard.press('Control+z');
  await second.keyboard.press('Delete');
  await expect.poll(() => objects(second)).toBe(1);
  await expect.poll(() => objects(page)).toBe(1);
});

it('the window says when nothing arrives, and catches up when the service is back', async () => {
  const { page } = workbench;
  await workbench.kill();
  await second.getByText('Changes of others do not arrive').waitFor();
  await workbench.restart();
  await second.getByText('Changes of others do not arrive').waitFor({ state: 'detached' });
  await page.bringToFront();
  await page.keyboard.press('w');
  await drag(page, [0.5, 0.2], [0.6, 0.5]);
  await waitSaved(page);
  await expect.poll(() => objects(second)).toBe(2);
});
