import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { downloadBy } from './support/files.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service, folder } = await useWorkbench();
const file = join(folder, 'street.mp4');
const output = ['-frames:v', '50', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '25', file];
execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25', ...output]);
const task = await service.makeTask('street', { images: [{ name: 'street.mp4', bytes: readFileSync(file) }] });
const label_id = (await service.labels(task))[0]?.id ?? 0;
const shapes = [3, 20, 21].map((frame) => ({
  type: 'rectangle' as const,
  frame,
  label_id,
  points: [10, 20, 60, 90],
}));
await service.changeAnnotations('tasks', task, 'create', { shapes });
await page.goto(`/tasks/${task}`);

describe('frames of a video', () => {
  async function openDialog(): Promise<Locator> {
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Extract frames…' }).click();
    return page.getByRole('dialog', { name: /Extract frames/ });
  }

  it('become a task by the keyboard, after the dialog has shown their number', async () => {
    const dialog = await openDialog();
    await dialog.getByText('5 images', { exact: true }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('20');
    await dialog.getByText('3 images', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Extract 3 images' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('Created task "street (frames)".').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'street (frames)' }).waitFor();
    const made = Number(/tasks\/(\d+)$/.exec(page.url())?.[1]);
    const { frames } = await service.meta('tasks', made);
    expect(frames?.map(({ name }) => name)).toEqual(['frame_000000.jpg', 'frame_000020.jpg', 'frame_000040.jpg']);
    expect((await service.annotations('tasks', made)).shapes.map(({ frame }) => frame)).toEqual([1]);
  });

  it('that do not exist are named, and block the start', async () => {
    await page.goto(`/tasks/${task}`);
    const dialog = await openDialog();
    await dialog.getByRole('radio', { name: 'Selected' }).check();
    await dialog.getByRole('textbox', { name: 'Frame numbers and ranges' }).fill('0-10:5, 50');
    await dialog.getByText('Frame 50 does not exist: the frames are 0 to 49.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: /^Extract/ }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Frame numbers and ranges' }).fill('0-10:5, 49');
    await dialog.getByRole('radio', { name: 'Archive' }).check();
    const download = await downloadBy(dialog.getByRole('button', { name: 'Extract 4 images' }));
    expect(download.suggestedFilename()).toMatch(/^task_\d+_frames_.*\.zip$/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('with annotations are in an export with images, and the dialog shows their number', async () => {
    await page.goto(`/tasks/${task}`);
    await page.getByRole('button', { name: 'Export…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /Export/ });
    await dialog.getByRole('switch', { name: 'Save images' }).check();
    await expect.poll(() => dialog.getByRole('radio', { name: 'With annotations (3)' }).isChecked()).toBe(true);
    await dialog.getByRole('radio', { name: 'All (50)' }).waitFor();
    await downloadBy(dialog.getByRole('button', { name: 'Export', exact: true }));
    await dialog.getByText('Only frames with annotations are in the file: 3 of 50.').waitFor();
  });
});
