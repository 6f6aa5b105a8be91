import { describe, expect, it } from 'vitest';
import type { Issue } from '../../preload/contract/schema/review.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { clickPlaces, drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 3;
const { page, service } = await useWorkbench();
const task = await service.makeTask('bridge', { images: count });
const job = (await service.jobsOf(task))[0] ?? 0;
const [label] = await service.labels(task);
const { frames } = await service.good<{ frames: { width: number; height: number }[] }>(
  'GET',
  `/api/jobs/${job}/data/meta`,
);
const { width = 0, height = 0 } = frames[0] ?? {};
// The centre of the image is the centre of the canvas at every zoom.
const points = [width * 0.4, height * 0.4, width * 0.6, height * 0.6];
const shape = { type: 'rectangle', label_id: label?.id, frame: 0, points };
await service.good('PUT', `/api/jobs/${job}/annotations/`, { json: { shapes: [shape], tags: [], tracks: [] } });
await service.good('PATCH', `/api/jobs/${job}`, { json: { stage: 'validation' } });
await page.goto(`/tasks/${task}/jobs/${job}`);
await waitFrame(page, 0, count);

const issues = async (): Promise<readonly Issue[]> =>
  (await service.ask<{ results: Issue[] }>('GET', `/api/issues?job_id=${job}&sort=id`)).results;
const stored = () => service.ask<{ stage: string; state: string }>('GET', `/api/jobs/${job}`);
const press = (key: string) => page.keyboard.press(key);
const pins = () => page.getByTestId('issue-pin');
const rows = () => page.getByTestId('issue-row');

describe('review', () => {
  it('is opened for a job in validation, and is in the address', async () => {
    await page.locator('[data-testid="mode"][data-mode="review"]').waitFor();
    await press('t');
    await press('1');
    await page.locator('[data-testid="mode"][data-mode="standard"]').waitFor();
    await page.waitForURL(/mode=standard/);
    await page.getByTestId('mode').click();
    await page.getByRole('menuitem', { name: /Review/ }).click();
    await page.waitForURL(/mode=review/);
    await page.reload();
    await waitFrame(page, 0, count);
    await page.locator('[data-testid="mode"][data-mode="review"]').waitFor();
  });

  it('creates issues by a click on a shape, by a dragged box and as quick ones', async () => {
    await page.getByRole('button', { name: 'New issue' }).click();
    await clickPlaces(page, [[0.5, 0.5]]);
    await page.getByRole('textbox', { name: 'Description' }).fill('The edge is loose.');
    await press('Enter');
    await expect.poll(() => pins().count()).toBe(1);
    await press('Escape');
    await press('Escape');
    await page.getByRole('button', { name: 'New issue' }).click();
    await drag(page, [0.3, 0.25], [0.36, 0.35]);
    await page.getByRole('textbox', { name: 'Description' }).fill('Somebody is missing here.');
    await press('Enter');
    await expect.poll(() => pins().count()).toBe(2);
    await page.getByRole('button', { name: 'Wrong label' }).click();
    await drag(page, [0.62, 0.25], [0.7, 0.35]);
    await expect.poll(() => pins().count()).toBe(3);
    const [first, second] = await issues();
    expect(first?.position).toHaveLength(4);
    expect(second?.position).toHaveLength(4);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('creates issues by keys alone, on the selection and on complete frames', async () => {
    await page.getByTestId('mode').focus();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await press('Escape');
    await press('Escape');
    await press('f');
    await waitFrame(page, 1, count);
    await press('n');
    await press('n');
    await page.getByRole('textbox', { name: 'Description' }).waitFor();
    await page.keyboard.type('Nothing is annotated.');
    await press('Enter');
    await expect.poll(() => pins().count()).toBe(1);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await press('Escape');
    await press('f');
    await waitFrame(page, 2, count);
    await press('4');
    await press('4');
    await expect.poll(async () => (await issues()).map(({ frame }) => frame)).toEqual([0, 0, 0, 1, 2]);
    await expect.poll(() => rows().count()).toBe(5);
  });

  it('moves from issue to issue over frames, and answers, resolves and reopens them', async () => {
    await press('BracketRight');
    await waitFrame(page, 0, count);
    const thread = page.getByRole('region', { name: 'Issue 1' });
    await thread.getByText('The edge is loose.').waitFor();
    await thread.getByRole('textbox', { name: 'Reply' }).fill('It is the shadow.');
    await press('Enter');
    await thread.getByText('It is the shadow.').waitFor();
    await thread.getByRole('button', { name: 'Resolve' }).click();
    await thread.getByRole('button', { name: 'Reopen' }).waitFor();
    await expect.poll(() => rows().count()).toBe(4);
    await thread.getByRole('button', { name: 'Reopen' }).click();
    await expect.poll(() => rows().count()).toBe(5);
    await thread.getByRole('button', { name: 'Close' }).click();
    await rows().last().click();
    await waitFrame(page, 2, count);
  });

  it('changes no object unless editing is switched on', async () => {
    await page.goto(`/tasks/${task}/jobs/${job}?frame=0&mode=review`);
    await waitFrame(page, 0, count);
    await clickPlaces(page, [[0.5, 0.5]]);
    await press('Delete');
    await page.getByRole('tab', { name: /Objects/ }).click();
    await expect.poll(() => page.getByTestId('object').count()).toBe(1);
    await page.getByRole('switch', { name: 'Edit' }).check({ force: true });
    await press('Delete');
    await expect.poll(() => page.getByTestId('object').count()).toBe(0);
    await press('Control+z');
    await expect.poll(() => page.getByTestId('object').count()).toBe(1);
  });

  it('ends by sending the job back, after saying what happens', async () => {
    await page.getByTestId('stage').click();
    await page.getByRole('menuitem', { name: 'Reject' }).click();
    const question = page.getByRole('dialog', { name: 'Reject' });
    await question.getByText('The job has 5 open issues.').waitFor();
    await question.getByText('Cancel', { exact: true }).click();
    expect(await stored()).toMatchObject({ stage: 'validation' });
    await page.getByTestId('stage').click();
    await page.getByRole('menuitem', { name: 'Reject' }).click();
    await question.getByRole('button', { name: 'Reject' }).click();
    await page.locator('[data-testid="stage"][data-stage="annotation"]').waitFor();
    expect(await stored()).toMatchObject({ stage: 'annotation', state: 'rejected' });
  });
});
