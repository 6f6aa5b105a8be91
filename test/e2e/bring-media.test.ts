import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../preload/contract/schema/resources.ts';
import { makeImages, writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { dropNewTask, taskOf } from './support/make-task.ts';
import { dropFiles } from './support/pointer.ts';
import { createService } from './support/service.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const frames = 6;

/** A film of `count` frames. */
function makeVideo(folder: string, name: string, count = frames): string {
  const file = join(folder, name);
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=3'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-frames:v', String(count), '-pix_fmt', 'yuv420p', file]);
  return file;
}

const taskAt = (workbench: Workbench, id: string | number): Promise<Task> =>
  createService(workbench).ask<Task>('GET', `/api/tasks/${id}`);
const opened = async (workbench: Workbench, count: number): Promise<void> => {
  await workbench.page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(workbench.page, 0, count);
};

describe('a video', () => {
  let workbench: Workbench;
  let video: string;
  beforeAll(async () => {
    workbench = await openWorkbench();
    video = makeVideo(workbench.folder, 'crossing.mp4');
  });
  afterAll(() => workbench?.close());

  it('is chosen for a new task', async () => {
    const { page } = workbench;
    await page.goto('/tasks/new');
    await page.locator('input[type="file"]').first().setInputFiles(video);
    await page.getByRole('button', { name: 'Create and open' }).click();
    await opened(workbench, frames);
    expect(await taskAt(workbench, taskOf(workbench))).toMatchObject({
      name: 'crossing',
      size: frames,
      mode: 'interpolation',
    });
    // Its page speaks of frames.
    await page.goto(`/tasks/${taskOf(workbench)}`);
    await page.getByRole('listitem').getByText(`${frames} frames · `).waitFor();
    await page.getByText('Frames', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('Images', { exact: true }).count()).toBe(0);
  });

  it('is dropped on the list of tasks, and on the workspace', async () => {
    const { page } = workbench;
    await page.goto('/tasks');
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await dropFiles(page, [video]);
    await opened(workbench, frames);
    const first = taskOf(workbench);
    await dropFiles(page, [video]);
    await page.waitForURL(
      (url) => /\/tasks\/\d+\/jobs\/\d+/.test(url.pathname) && !url.pathname.includes(`/tasks/${first}/`),
    );
    await waitFrame(page, 0, frames);
  });

  it('that is cut off is said to be, and taken as far as it can be read when asked for', async () => {
    const { page } = workbench;
    const whole = readFileSync(makeVideo(workbench.folder, 'whole.mkv', 75));
    const broken = join(workbench.folder, 'broken.mkv');
    writeFileSync(broken, whole.subarray(0, Math.round(whole.length * 0.6)));
    await page.goto('/tasks');
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await dropFiles(page, [broken]);
    const dialog = page.getByRole('dialog', { name: 'Some of it is damaged' });
    await dialog.getByText(/\d+ frames of it can be read|and \d+ can be read/).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/tasks');
    await dropFiles(page, [broken]);
    await dialog.getByRole('button', { name: 'Take what can be read' }).click();
    await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
    const task = await taskAt(workbench, taskOf(workbench));
    expect(task.size).toBeGreaterThan(0);
    expect(task.size).toBeLessThan(75);
  });

  it('is a task of its own: among images it is left out, of several one stays, and that is said', async () => {
    const { page } = workbench;
    const mixed = join(workbench.folder, 'mixed');
    mkdirSync(mixed);
    await writeImages(mixed, await makeImages(2));
    makeVideo(mixed, 'film.mp4');
    await page.goto('/tasks');
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await dropFiles(page, [mixed]);
    await page.getByText('“mixed/film.mp4” was left out: a video is a task of its own.').waitFor();
    await opened(workbench, 2);
    await page.goto('/tasks/new');
    const other = makeVideo(workbench.folder, 'other.webm');
    await page.locator('input[type="file"]').first().setInputFiles([video, other]);
    await page.getByText('“other.webm” was left out: a video is a task of its own.').waitFor();
    await page.getByText(/^1 file, /).waitFor();
  });

  it('is named where nothing among the files can be used', async () => {
    const { page } = workbench;
    const paper = join(workbench.folder, 'paper.pdf');
    writeFileSync(paper, '%PDF-1.7');
    await page.goto('/tasks/new');
    await page.locator('input[type="file"]').first().setInputFiles(paper);
    await page.getByText('None of these files is an image, a video or an archive.').waitFor();
    expect(workbench.pageErrors).toEqual([]);
  });
});

describe('where ffmpeg is missing', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench(undefined, { PATH: '/nonexistent' });
  });
  afterAll(() => workbench?.close());

  it('says so, and what to do, and leaves no half task', async () => {
    const { page } = workbench;
    await dropFiles(page, [makeVideo(workbench.folder, 'crossing.mp4')]);
    await page.getByRole('dialog').getByText('ffmpeg was not found. Install ffmpeg').waitFor();
    const { count } = await createService(workbench).ask<{ count: number }>('GET', '/api/tasks');
    expect(count).toBe(0);
  });
});

describe('a task whose images could not be prepared', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench();
  });
  afterAll(() => workbench?.close());

  it('shows the reason in the list and on its page, and takes others there', async () => {
    const { page } = workbench;
    const service = createService(workbench);
    const { id } = await service.ask<{ id: number }>('POST', '/api/tasks', {
      name: 'harbour',
      labels: [{ name: 'ship' }],
    });
    const form = new FormData();
    form.set('image_quality', '70');
    form.set('client_files[0]', new Blob(['no picture']), 'bad.jpg');
    const { rq_id: request } = await service.ask<{ rq_id: string }>('POST', `/api/tasks/${id}/data/`, form);
    await expect(service.waitForRequest(request)).rejects.toThrow('bad.jpg');

    await page.goto('/tasks');
    await page.getByText('Not prepared', { exact: true }).waitFor();
    await page.getByText('harbour').click();
    await page.getByRole('alert').getByText('bad.jpg').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    const folder = join(workbench.folder, 'good');
    mkdirSync(folder);
    await writeImages(folder, await makeImages(3));
    const box = await page.getByRole('group', { name: /Drop images/ }).boundingBox();
    await dropFiles(page, [folder], { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 20 });
    await page.getByRole('button', { name: 'Annotate' }).and(page.locator(':enabled')).waitFor();
    expect(await taskAt(workbench, id)).toMatchObject({ size: 3 });
    await page.getByRole('button', { name: 'Annotate' }).click();
    await opened(workbench, 3);
    expect(workbench.pageErrors).toEqual([]);
  });

  it('has room for its first images as well', async () => {
    const { page } = workbench;
    await dropNewTask(workbench, 'first', 2);
    const service = createService(workbench);
    const { id } = await service.ask<{ id: number }>('POST', '/api/tasks', {
      name: 'empty',
      labels: [{ name: 'ship' }],
    });
    await page.goto(`/tasks/${id}`);
    await page.getByText('This task has no images yet').waitFor();
    const [image] = await makeImages(1);
    const buffer = Buffer.from(image?.bytes ?? []);
    await page.locator('input[type="file"]').first().setInputFiles({ name: 'one.png', mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: 'Annotate' }).and(page.locator(':enabled')).waitFor();
    expect(await taskAt(workbench, id)).toMatchObject({ size: 1 });
  });
});
