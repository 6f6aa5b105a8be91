import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Task, TaskValidationLayout } from '../../preload/contract/schema/resources.ts';
import { makeImages, writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { taskOf } from './support/make-task.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder } = workbench;

const layoutOf = (id: number) => service.ask<TaskValidationLayout>('GET', `/api/tasks/${id}/validation_layout`);
const choose = async (field: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

it('a task with honeypots is created, and its pool and honeypots are changed on its quality page', async () => {
  await page.goto('/tasks/new');
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(await writeImages(join(folder, 'quay'), await makeImages(12, { width: 160, height: 120 })));
  await page.getByRole('button', { name: 'Advanced settings' }).click();
  await page.getByRole('textbox', { name: 'Images per job' }).fill('4');
  await choose('Validation', 'Ground truth job and honeypots');
  await page.getByText('A task with honeypots is sorted randomly.').waitFor();
  await choose('Unit of Pool size', 'frames');
  const pool = page.getByRole('textbox', { name: 'Pool size' });
  await pool.fill('12');
  await page.getByText('The validation pool must be smaller than the task. Choose fewer frames.').waitFor();
  expect(await page.getByRole('button', { name: 'Create and open' }).isDisabled()).toBe(true);
  await pool.fill('3');
  await choose('Unit of Honeypots per job', 'frames');
  await page.getByRole('textbox', { name: 'Honeypots per job' }).fill('2');
  await page.getByRole('textbox', { name: 'Seed' }).fill('42');
  expect(await breachesInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create and open' }).click();
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, 6);
  const id = taskOf(workbench);
  expect(await layoutOf(id)).toMatchObject({
    mode: 'gt_pool',
    frames_per_job_count: 2,
    validation_frames: [15, 16, 17],
    honeypot_count: 6,
    // Equal to a task of CVAT with this seed.
    honeypot_frames: [2, 3, 9, 10, 13, 14],
    honeypot_real_frames: [16, 15, 17, 15, 16, 17],
  });

  await page.goto(`/tasks/${id}?tab=quality`);
  await page.getByText('3 frames, 0 off.').waitFor();
  const jobs = (await service.jobs(id)).filter(({ type }) => type === 'annotation');
  const rowOf = (at: number) => page.getByRole('row').filter({ hasText: new RegExp(`Job ${jobs[at]?.id}(?!\\d)`) });
  await rowOf(1).getByText('repeats 17').waitFor();
  expect(await breachesInBothThemes(page)).toEqual([]);

  await page.getByRole('switch', { name: 'Compare frame 15' }).press('Space');
  await page.getByText('2 honeypots repeat frames that are off. Shuffle their jobs.').waitFor();
  expect((await layoutOf(id)).disabled_frames).toEqual([15]);
  const [first] = jobs;
  await page.getByRole('button', { name: `Shuffle the honeypots of job ${first?.id}`, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Shuffle', exact: true }).click();
  await page.getByText('1 honeypot repeats a frame that is off. Shuffle its job.').waitFor();
  expect((await layoutOf(id)).honeypot_real_frames?.slice(0, 2).toSorted()).toEqual([16, 17]);

  await page.getByRole('switch', { name: 'Compare frame 16' }).press('Space');
  await page.getByText('3 frames, 2 off.').waitFor();
  await page.getByRole('button', { name: 'Shuffle all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Shuffle', exact: true }).click();
  await page.getByText(/remaining number of validation frames \(1\) is less than the number of honeypots/).waitFor();
  await page.getByRole('switch', { name: 'Compare frame 16' }).press('Space');
  await page.getByText('3 frames, 1 off.').waitFor();
  expect((await layoutOf(id)).disabled_frames).toEqual([15]);
});

it('a ground truth of chosen frames is created with a new task, and one of each job later', async () => {
  await page.goto('/tasks/new');
  const images = await makeImages(6, { width: 160, height: 120, text: 'pier' });
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(await writeImages(join(folder, 'pier'), images));
  await page.getByRole('button', { name: 'Advanced settings' }).click();
  await choose('Validation', 'Ground truth job');
  await choose('Frame selection', 'Chosen frames');
  await page.getByText('Enter the frames of the ground truth.').waitFor();
  await page.getByRole('textbox', { name: 'File names' }).fill(`${images[1]?.name}\n${images[4]?.name}\n`);
  await page.getByRole('button', { name: 'Create and open' }).click();
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, 6);
  expect(await layoutOf(taskOf(workbench))).toMatchObject({ mode: 'gt', validation_frames: [1, 4] });

  const id = await service.makeTask('basin', { images: 6, segment_size: 3 });
  await page.goto(`/tasks/${id}?tab=quality`);
  await choose('Frame selection', 'Random in each job');
  await choose('Unit of Frames per job', 'frames');
  await page.getByRole('textbox', { name: 'Frames per job' }).fill('1');
  await page.getByRole('button', { name: 'Create ground truth job' }).click();
  await page.getByText('2 frames, 0 off.').waitFor();
  const { validation_frames: frames } = await layoutOf(id);
  expect(frames?.map((frame) => Math.floor(frame / 3))).toEqual([0, 1]);
  expect((await service.ask<Task>('GET', `/api/tasks/${id}`)).validation_mode).toBe('gt');
});
