import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, storedIn } from './support/make-task.ts';
import { drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

let second: Page;
let tasks = 0;
const workbench = await useWorkbench();
const { page, context } = workbench;
beforeEach(async () => {
  tasks += 1;
  await page.goto('/tasks');
  await dropNewTask(workbench, `harbour ${tasks}`, 2);
  await typeLabel(page, 'boat');
  await page.keyboard.press('w');
  await drag(page, [0.1, 0.2], [0.2, 0.5]);
  await waitSaved(page);
  second = await context.newPage();
  await second.goto(page.url());
  await waitFrame(second, 0, 2);
});
afterEach(() => second.close());

const objects = (page: Page) => page.getByTestId('object').count();

it('what one window does is seen in the other, whose selection and history stay', async () => {
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

it('the window says when the service does not answer, and updates when it is back', async () => {
  await workbench.kill();
  await second.getByText('Cannot receive remote changes').waitFor();
  await workbench.restart();
  await second.getByText('Cannot receive remote changes').waitFor({ state: 'detached' });
  await page.bringToFront();
  await page.keyboard.press('w');
  await drag(page, [0.5, 0.2], [0.6, 0.5]);
  await waitSaved(page);
  await expect.poll(() => objects(second)).toBe(2);
});

describe('an object that both windows changed', () => {
  /** The second marks the box as occluded, and its change arrives after the first has moved it. */
  async function changeTwice(): Promise<void> {
    const moved = Promise.withResolvers<void>();
    await second.route(/\/annotations\/\?action=/, async (route) => {
      await moved.promise;
      await route.continue();
    });
    await second.bringToFront();
    await second.getByTestId('object').first().click();
    await second.keyboard.press('q');
    await page.bringToFront();
    await page.getByTestId('object').first().click();
    await page.keyboard.press('Shift+ArrowRight');
    await waitSaved(page);
    moved.resolve();
    await second.bringToFront();
    await second.getByTestId('clash').filter({ hasText: 'Differences: position or outline, flags' }).waitFor();
  }
  const stored = async () => {
    const { shapes } = await storedIn(workbench);
    return shapes.map(({ occluded, points }) => ({ occluded, left: points[0] }));
  };

  it.each(['Mine', 'Theirs', 'Both'])('asks the user, and has the selected version: %s', async (choice) => {
    const [before] = await stored();
    const mine = { occluded: true, left: before?.left };
    const theirs = { occluded: false, left: (before?.left ?? 0) + 10 };
    await changeTwice();
    await second.getByText('1 object was also changed elsewhere').first().waitFor();
    expect(await stored()).toEqual([theirs]);
    await second.getByTestId('clash').getByRole('button', { name: choice, exact: true }).click();
    await second.getByTestId('clashes').waitFor({ state: 'detached' });
    await waitSaved(second);
    const wanted = { Mine: [mine], Theirs: [theirs], Both: [theirs, mine] }[choice] ?? [];
    expect(await stored()).toEqual(wanted);
    for (const window of [page, second]) await expect.poll(() => objects(window)).toBe(wanted.length);
  });

  it('still asks after a reload', async () => {
    await changeTwice();
    second.on('dialog', (dialog) => void dialog.accept());
    await second.reload();
    await waitFrame(second, 0, 2);
    await second.getByTestId('clash').getByRole('button', { name: 'Mine', exact: true }).click();
    await waitSaved(second);
    expect(await stored()).toMatchObject([{ occluded: true }]);
  });
});
