import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { dropNewTask, jobOf, storedIn, taskOf } from './support/make-task.ts';
import { drag, dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder, context } = workbench;
const sizeOf = async (id: number) => (await service.task(id)).size;

test('adds images by the menu of a task and asks about names that exist, while a job is open in another window', async () => {
  await dropNewTask(workbench, 'street', 2);
  const task = taskOf(workbench);
  const job = jobOf(workbench);
  const other = await context.newPage();
  await other.goto(`/tasks/${task}/jobs/${job}`);
  await waitFrame(other, 0, 2);

  await page.goto(`/tasks/${task}`);
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add images' }).click();
  const dialog = page.getByRole('dialog');
  const more = join(folder, 'more');
  const images = (await makeImages(4, { width: 640, height: 480 })).slice(1);
  const paths = await writeImages(more, images);
  await dialog.locator('input[type="file"]').first().setInputFiles(paths);
  await dialog.getByText('New frames start at 2.').waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add 3 files' }).click();
  await page.getByText('Added ').waitFor();
  const size = (await sizeOf(task))!;
  expect(size).toBeGreaterThan(3);
  const [first] = await service.jobs(task);
  expect(first).toMatchObject({ id: job, start_frame: 0, stop_frame: size - 1 });
  // The open job keeps its frames until it is opened again.
  await waitFrame(other, 0, 2);
  await other.reload();
  await waitFrame(other, 0, size);
  await other.close();
});

test('adds images that are dropped on the page of a task', async () => {
  await page.goto('/tasks');
  await dropNewTask(workbench, 'square', 2);
  const task = taskOf(workbench);
  await page.goto(`/tasks/${task}`);
  await page.getByText('2 images').first().waitFor();
  const more = join(folder, 'dropped');
  await writeImages(
    more,
    (await makeImages(3)).map((image) => ({ ...image, name: `new-${image.name}` })),
  );
  await dropFiles(page, [more]);
  await page.getByRole('dialog').getByRole('button', { name: 'Add 3 files' }).click();
  await page.getByText('Added 3 images.').waitFor();
  await expect.poll(() => sizeOf(task)).toBe(5);
  await page.getByText('5 images').first().waitFor();
});

test('keeps edits of an open job that are made and not saved yet while another window adds images', async () => {
  await page.goto('/tasks');
  await dropNewTask(workbench, 'harbour', 2);
  const task = taskOf(workbench);
  await typeLabel(page, 'boat');
  const added = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(/\/annotations\/\?action=/, async (route) => {
    held.resolve();
    await added.promise;
    await route.continue();
  });
  await page.keyboard.press('w');
  await drag(page, [0.1, 0.2], [0.2, 0.5]);
  await held.promise;
  const other = await context.newPage();
  await other.goto(`/tasks/${task}`);
  await other.getByText('2 images').first().waitFor();
  const more = join(folder, 'harbour-2');
  await writeImages(
    more,
    (await makeImages(2)).map((image) => ({ ...image, name: `later-${image.name}` })),
  );
  await dropFiles(other, [more]);
  await other.getByRole('dialog').getByRole('button', { name: 'Add 2 files' }).click();
  await other.getByText('Added 2 images.').waitFor();
  await other.close();
  await page.bringToFront();
  await page.keyboard.press('w');
  await drag(page, [0.5, 0.2], [0.6, 0.5]);
  expect((await storedIn(workbench)).shapes).toEqual([]);
  added.resolve();
  await waitSaved(page);
  await expect.poll(async () => (await storedIn(workbench)).shapes.length).toBe(2);
  expect(await sizeOf(task)).toBe(4);
  // A job that was begun keeps its frames; the new ones are in another job.
  const jobs = (await service.jobs(task)).map(({ start_frame: start, stop_frame: stop }) => [start, stop]);
  expect(jobs.toSorted()).toEqual([
    [0, 1],
    [2, 3],
  ]);
  await page.reload();
  await waitFrame(page, 0, 2);
  await expect.poll(() => page.getByTestId('object').count()).toBe(2);
  await page.unroute(/\/annotations\/\?action=/);
});

test('adds every second frame of a video to a task of images, and creates a task from a video dropped on its page', async () => {
  await page.goto('/tasks');
  await dropNewTask(workbench, 'meadow', 2);
  const task = taskOf(workbench);
  await page.goto(`/tasks/${task}`);
  await page.getByText('2 images').first().waitFor();
  const video = join(folder, 'meadow.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=30', '-frames:v', '3', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-c:v', 'libx264', video]);
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add images' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type="file"]').first().setInputFiles(video);
  await dialog.getByLabel('Every n-th frame of videos').fill('2');
  await dialog.getByRole('button', { name: 'Add 1 file' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => sizeOf(task)).toBe(4);
  await page.getByText('Added 2 images.').waitFor();
  await dropFiles(page, [video]);
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, 3);
  expect(taskOf(workbench)).not.toBe(task);
  expect(await sizeOf(task)).toBe(4);
});

test('removes the image of a frame for good after a question, and restores it', async () => {
  await page.goto('/tasks');
  await dropNewTask(workbench, 'removal', 2);
  const task = taskOf(workbench);
  await service.good('PATCH', `/api/tasks/${task}/data/meta`, { json: { deleted_frames: [1] } });
  await page.goto(`/tasks/${task}`);
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Remove deleted images' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Frame numbers stay.').waitFor();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  const stateOf = async () => (await service.meta('tasks', task)).frames?.[1]?.limner_state;
  await expect.poll(stateOf).toBe('unusable');
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(stateOf).toBeUndefined();
});

test('says what to drop on the list of models when images are dropped there', async () => {
  await page.goto('/models');
  const more = join(folder, 'no-model');
  await writeImages(more, await makeImages(1));
  await dropFiles(page, [join(more, (await makeImages(1))[0]!.name)]);
  await page.getByText('is not a model file. Drop ONNX files here').waitFor();
});
