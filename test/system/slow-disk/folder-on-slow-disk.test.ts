import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breachesInBothThemes } from '../../e2e/support/accessibility.ts';
import { goToFrame, typeLabel, waitFrame, waitSaved } from '../../e2e/support/annotate-screen.ts';
import { jobOf, storedShapes, taskOf } from '../../e2e/support/make-task.ts';
import { drag } from '../../e2e/support/pointer.ts';
import { useWorkbench } from '../../e2e/support/workbench.ts';
import { signIn } from '../../support/client.ts';
import { startServer } from '../../support/server.ts';
import { makeImage, makeImages } from '../../support/images.ts';
import { mountSlowDisk, type SlowDisk } from './slow-disk.ts';

const workbench = await useWorkbench();
const { page, service } = workbench;
const frames = 60;
const readMs = 200;
let disk: SlowDisk;
beforeAll(async () => {
  disk = await mountSlowDisk();
  const image = await makeImage({ width: 640, height: 480 });
  for (let frame = 0; frame < frames; frame += 1) {
    writeFileSync(join(disk.source, `photo-${String(frame).padStart(3, '0')}.jpg`), image);
  }
});
afterAll(() => disk?.dispose());

async function openDisk(): Promise<void> {
  await disk.change({ readMs, isStalled: false, fails: false });
  await page.goto('/tasks/new');
  await page.getByText('On the server', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Paths', exact: true }).fill(disk.path);
  await page.getByRole('button', { name: 'Create and open' }).click();
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, frames);
}

const progressLine = () => page.getByText(/^Reading images: \d+ of 60$/);
const picture = () => page.getByTestId('frame-shown').getAttribute('data-picture');

async function drawBox(): Promise<void> {
  await page.keyboard.press('w');
  await drag(page, [0.3, 0.3], [0.5, 0.6]);
  await waitSaved(page);
}

async function requestFrame(frame: number): Promise<void> {
  await page.getByRole('textbox', { name: 'Frame number' }).fill(String(frame));
  await page.keyboard.press('Enter');
}

async function wholeFolder(): Promise<void> {
  await disk.change({ readMs: 0 });
  await expect.poll(async () => (await service.meta('tasks', taskOf(workbench))).frames?.length).toBe(frames);
  const { frames: all } = await service.meta('tasks', taskOf(workbench));
  expect(all?.filter(({ width, height }) => width === 640 && height === 480)).toHaveLength(frames);
}

describe('a folder on a disk that delays each read', () => {
  it('is annotated from its first image on while the others are read', async () => {
    await openDisk();
    await typeLabel(page, 'boat');
    await drawBox();
    await progressLine().waitFor();
    await requestFrame(50);
    await waitFrame(page, 50, frames);
    expect(await picture()).toBe('ready');
    await progressLine().waitFor();
    await wholeFolder();
    expect((await storedShapes(workbench)).map(({ frame }) => frame)).toEqual([0]);
  });

  it('does not delay other work while the disk does not answer', async () => {
    await openDisk();
    await disk.change({ isStalled: true });
    for (const frame of [20, 30, 40, 50]) await requestFrame(frame);
    const client = await signIn(workbench.server);
    const { id } = await client.taskWithImages({ labels: [{ name: 'other' }] }, await makeImages(4));
    const [job] = await client.jobs(id);
    await client.bytes(`/api/jobs/${job?.id}/data?type=frame&number=2&quality=compressed`);
    await client.exportDataset('tasks', id, 'COCO 1.0', join(workbench.folder, 'other.zip'));
    const stalled = page.url();
    await page.goto(`/tasks/${id}/jobs/${job?.id}`);
    await waitFrame(page, 0, 4);
    expect(await picture()).toBe('ready');
    await page.goto(stalled);
    await disk.change({ isStalled: false });
    await goToFrame(page, 40, frames);
    expect(await picture()).toBe('ready');
    await wholeFolder();
  });

  it('does not delay the end of the service while the disk does not answer', async () => {
    await disk.change({ readMs, isStalled: false, fails: false });
    await using server = await startServer();
    const client = await signIn(server);
    const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
    await client.useServerFiles(id, [disk.path], { open_early: true });
    await expect.poll(async () => (await client.jobs(id)).length).toBe(1);
    const [job] = await client.jobs(id);
    await disk.change({ isStalled: true });
    const frame = client.bytes(`/api/jobs/${job?.id}/data?type=frame&number=40&quality=compressed`);
    frame.catch(() => undefined);
    await expect.poll(() => disk.waiting()).toBeGreaterThan(0);
    process.kill(server.pid, 'SIGTERM');
    await expect.poll(() => server.isRunning()).toBe(false);
    await disk.change({ isStalled: false });
  });

  it('says on the frame that the disk failed, and goes on when it is back', async () => {
    await openDisk();
    await goToFrame(page, 1, frames);
    await service.good('GET', `/api/limner/jobs/${jobOf(workbench)}/frames/20`);
    await disk.change({ fails: true });
    await requestFrame(30);
    await page.getByText(`the folder ${disk.path} is not available`, { exact: false }).first().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    // A frame whose file was read before.
    await requestFrame(20);
    await page.getByText('its disk reports EIO', { exact: false }).first().waitFor();
    await requestFrame(30);
    await page.getByText(`the folder ${disk.path} is not available`, { exact: false }).first().waitFor();
    await disk.change({ fails: false });
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await waitFrame(page, 30, frames);
    expect(await picture()).toBe('ready');
    await wholeFolder();
  });
});
