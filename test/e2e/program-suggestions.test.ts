import { expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { goToFrame, waitFrame } from './support/annotate-screen.ts';
import { storedShapes } from './support/make-task.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service } = workbench;
const task = await service.makeTask('street', { images: 3 });
const [job] = await service.jobsOf(task);
const { results: labels } = (await service.ask('GET', `/api/labels?task_id=${task}`)) as { results: { id: number }[] };
const label = labels[0]!.id;
const suggestions = () => page.getByTestId('suggestion');
const waiting = async () =>
  (await service.ask<{ frames: object[] }>('GET', `/api/limner/jobs/${job}/suggestions?frame=0`)).frames;

async function suggest(frame: number, points: number[]): Promise<void> {
  const name = 'street-helper';
  const set = (await service.ask('POST', `/api/limner/tasks/${task}/predictions`, { name, offered: true })) as {
    id: number;
  };
  const shapes = [{ type: 'rectangle', frame, label_id: label, points, score: 0.8, source: 'auto' }];
  await service.ask('POST', `/api/limner/predictions/${set.id}/objects`, { shapes });
}

it('shows what a program suggests under its name; a decision of a person makes it an annotation or removes it', async () => {
  await suggest(0, [20, 20, 80, 80]);
  await suggest(0, [100, 20, 160, 80]);
  await suggest(2, [10, 10, 50, 50]);
  await page.goto(`/tasks/${task}/jobs/${job}`);
  await waitFrame(page, 0, 3);
  await page.getByTestId('models-open').click();
  await expect.poll(() => suggestions().count()).toBe(2);
  await suggestions().first().getByText('from street-helper').waitFor();
  await page.getByTestId('suggestions-elsewhere').getByText('1 suggestion on another frame.').waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  expect(await storedShapes(workbench)).toEqual([]);

  await suggestions()
    .first()
    .getByRole('button', { name: /Accept/ })
    .click();
  await suggestions()
    .first()
    .getByRole('button', { name: /Reject/ })
    .click();
  await expect.poll(() => suggestions().count()).toBe(0);
  expect(await storedShapes(workbench)).toMatchObject([{ frame: 0, source: 'auto', score: 0.8 }]);
  await expect.poll(waiting).toEqual([{ frame: 2, count: 1 }]);

  // A reload and another visit do not bring decided suggestions back.
  await page.reload();
  await waitFrame(page, 0, 3);
  await page.getByTestId('models-open').click();
  await goToFrame(page, 2, 3);
  await expect.poll(() => suggestions().count()).toBe(1);
  await goToFrame(page, 0, 3);
  await expect.poll(() => suggestions().count()).toBe(0);
  expect(await storedShapes(workbench)).toHaveLength(1);
});

it('shows a suggestion that arrives while the frame is open', async () => {
  await suggest(0, [180, 100, 220, 140]);
  await expect.poll(() => suggestions().count(), { timeout: 25_000 }).toBe(1);
});
