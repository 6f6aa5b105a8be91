import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { dropNewTask, taskOf } from './support/make-task.ts';
import { dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const frames = 6;

function makeVideo(folder: string, name: string, count = frames): string {
  const file = join(folder, name);
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=3'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, '-frames:v', String(count), '-pix_fmt', 'yuv420p', file]);
  return file;
}

const workbench = await useWorkbench();
const { page, service, folder } = workbench;
const video = makeVideo(folder, 'crossing.mp4');
const withoutFfmpeg = await useWorkbench(undefined, { PATH: '/nonexistent' });

const opened = async (count: number): Promise<void> => {
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, count);
};

describe('a video', () => {
  it('can be selected for a new task', async () => {
    await page.goto('/tasks/new');
    await page.locator('input[type="file"]').first().setInputFiles(video);
    await page.getByRole('button', { name: 'Create and open' }).click();
    await opened(frames);
    expect(await service.task(taskOf(workbench))).toMatchObject({
      name: 'crossing',
      size: frames,
      mode: 'interpolation',
    });
    await page.goto(`/tasks/${taskOf(workbench)}`);
    await page.getByRole('listitem').getByText(`${frames} frames · `).waitFor();
    await page.getByText('Frames', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('Images', { exact: true }).count()).toBe(0);
  });

  it('can be dropped on the list of tasks, and on the workspace', async () => {
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await dropFiles(page, [video]);
    await opened(frames);
    const first = taskOf(workbench);
    await dropFiles(page, [video]);
    await page.waitForURL(
      (url) => /\/tasks\/\d+\/jobs\/\d+/.test(url.pathname) && !url.pathname.includes(`/tasks/${first}/`),
    );
    await waitFrame(page, 0, frames);
  });

  it('that is truncated is reported, and imported as far as it is readable on request', async () => {
    const whole = readFileSync(makeVideo(folder, 'whole.mkv', 75));
    const broken = join(folder, 'broken.mkv');
    writeFileSync(broken, whole.subarray(0, Math.round(whole.length * 0.6)));
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await dropFiles(page, [broken]);
    const dialog = page.getByRole('dialog', { name: 'Some data is damaged' });
    await dialog.getByText(/\d+ frames of it can be read|and \d+ can be read/).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/tasks');
    await dropFiles(page, [broken]);
    await dialog.getByRole('button', { name: 'Import readable data' }).click();
    await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
    const task = await service.task(taskOf(workbench));
    expect(task.size).toBeGreaterThan(0);
    expect(task.size).toBeLessThan(75);
  });

  it('is a separate task: it is skipped among images, one of several is used, and the dialog says so', async () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed);
    await writeImages(mixed, await makeImages(2));
    makeVideo(mixed, 'film.mp4');
    await page.goto('/tasks');
    await page.getByRole('heading').first().waitFor();
    await dropFiles(page, [mixed]);
    await page.getByText('“mixed/film.mp4” was skipped: each video needs a separate task.').waitFor();
    await opened(2);
    await page.goto('/tasks/new');
    const other = makeVideo(folder, 'other.webm');
    await page.locator('input[type="file"]').first().setInputFiles([video, other]);
    await page.getByText('“other.webm” was skipped: each video needs a separate task.').waitFor();
    await page.getByText(/^1 file, /).waitFor();
  });

  it('is named if none of the files can be used', async () => {
    const paper = join(folder, 'paper.pdf');
    writeFileSync(paper, '%PDF-1.7');
    await page.goto('/tasks/new');
    await page.locator('input[type="file"]').first().setInputFiles(paper);
    await page.getByText('No supported files.').waitFor();
  });
});

describe('a computer without ffmpeg', () => {
  it('says what to do, and leaves no partial task', async () => {
    await dropFiles(withoutFfmpeg.page, [video]);
    await withoutFfmpeg.page.getByRole('dialog').getByText('ffmpeg was not found. Install ffmpeg').waitFor();
    expect(await withoutFfmpeg.service.ask('GET', '/api/tasks')).toMatchObject({ count: 0 });
  });
});

describe('a task whose images could not be prepared', () => {
  it('shows the reason in the list and on its page, and accepts other images there', async () => {
    const { id } = await service.createTask({ name: 'harbour', labels: [{ name: 'ship' }] });
    const request = await service.uploadImages(id, [{ name: 'bad.jpg', bytes: Buffer.from('no picture') }]);
    await expect(service.finished(request)).rejects.toThrow('bad.jpg');

    await page.goto('/tasks');
    await page.getByText('Preparation failed', { exact: true }).waitFor();
    await page.getByText('harbour').click();
    await page.getByRole('alert').getByText('bad.jpg').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);

    const good = join(folder, 'good');
    await writeImages(good, await makeImages(3));
    const box = await page.getByRole('group', { name: /Drop images/ }).boundingBox();
    await dropFiles(page, [good], { at: { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 20 } });
    await page.getByRole('button', { name: 'Annotate' }).and(page.locator(':enabled')).waitFor();
    expect(await service.task(id)).toMatchObject({ size: 3 });
    await page.getByRole('button', { name: 'Annotate' }).click();
    await opened(3);
  });

  it('accepts the first images of an empty task in the same place', async () => {
    await dropNewTask(workbench, 'first', 2);
    const { id } = await service.createTask({ name: 'empty', labels: [{ name: 'ship' }] });
    await page.goto(`/tasks/${id}`);
    await page.getByText('No images yet. Drop images here.').waitFor();
    const [image] = await makeImages(1);
    const buffer = Buffer.from(image?.bytes ?? []);
    await page.locator('input[type="file"]').first().setInputFiles({ name: 'one.png', mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: 'Annotate' }).and(page.locator(':enabled')).waitFor();
    expect(await service.task(id)).toMatchObject({ size: 1 });
  });
});
