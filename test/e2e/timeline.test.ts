import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type TestClient } from '../support/client.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { createService } from './support/service.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

const count = 100;

describe('the timeline', () => {
  let workbench: Workbench;
  let page: Page;
  let client: TestClient;
  let job = 0;

  beforeAll(async () => {
    workbench = await openWorkbench();
    page = workbench.page;
    client = createClient(workbench.server.url, workbench.server.authorization);
    const file = join(workbench.folder, 'street.mp4');
    const output = ['-frames:v', String(count), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '25', file];
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25', ...output]);
    const { id: task } = await client.createTask({ name: 'street', labels: [{ name: 'car' }, { name: 'dog' }] });
    await client.finished(await client.uploadImages(task, [{ name: 'street.mp4', bytes: readFileSync(file) }]));
    [job = 0] = await createService(workbench).jobsOf(task);
    const [car, dog] = (await client.labels(task)).map(({ id }) => id);
    const trackOf = (label_id: number, keyframes: readonly (readonly [number, string?])[]) => ({
      label_id,
      frame: keyframes[0]?.[0] ?? 0,
      shapes: keyframes.map(([frame, state]) => ({
        frame,
        type: 'rectangle' as const,
        points: [10 + frame, 20, 60 + frame, 90],
        outside: state === 'outside',
        occluded: state === 'occluded',
      })),
    });
    await client.changeAnnotations('jobs', job, 'create', {
      tracks: [
        trackOf(car!, [[0], [30], [60, 'occluded'], [80]]),
        trackOf(car!, [[10], [40, 'outside'], [55], [90, 'outside']]),
        trackOf(dog!, [[20], [70]]),
      ],
    });
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, count);
  });
  afterAll(() => workbench?.close());

  const rows = (): Locator => page.getByTestId('timeline-rows');
  /** The middle of a frame in a row, on the page. */
  const placeOf = async (frame: number, row: number): Promise<{ x: number; y: number }> => {
    const box = (await rows().boundingBox())!;
    return { x: box.x + ((frame + 0.5) / count) * box.width, y: box.y + row * 24 + 12 };
  };
  const keyframes = async (): Promise<number[][]> => {
    await waitSaved(page);
    const { tracks } = await client.annotations('jobs', job);
    return tracks.map(({ shapes }) => shapes.map(({ frame }) => frame));
  };
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, to.y);
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
  };
  const onFrame = (frame: number): Promise<void> => waitFrame(page, frame, count);

  it('has a row for each track, and a click there selects it on the canvas and in the list', async () => {
    await expect.poll(() => page.getByTestId('timeline-name').allTextContents()).toEqual(['1car', '2car', '3dog']);
    const at = await placeOf(45, 2);
    await page.mouse.click(at.x, at.y);
    await page.locator('[data-testid="timeline-name"][data-selected]').getByText('dog').waitFor();
    await page.keyboard.press('r');
    await onFrame(20);
    await page.locator('[data-testid="object"][data-selected]').getByText('dog').first().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('moves a keyframe by a drag, copies it with Alt, sets one by a double click; each can be undone', async () => {
    await drag(await placeOf(30, 0), await placeOf(36, 0));
    await expect.poll(async () => (await keyframes())[0]).toEqual([0, 36, 60, 80]);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await keyframes())[0]).toEqual([0, 30, 60, 80]);
    await page.keyboard.down('Alt');
    await drag(await placeOf(20, 2), await placeOf(50, 2));
    await page.keyboard.up('Alt');
    await expect.poll(async () => (await keyframes())[2]).toEqual([20, 50, 70]);
    const at = await placeOf(25, 1);
    await page.mouse.dblclick(at.x, at.y);
    await expect.poll(async () => (await keyframes())[1]).toEqual([10, 25, 40, 55, 90]);
    // A click on a keyframe goes to its frame; there its key removes it.
    const keyframe = await placeOf(25, 1);
    await page.mouse.click(keyframe.x, keyframe.y);
    await onFrame(25);
    await page.keyboard.press('k');
    await expect.poll(async () => (await keyframes())[1]).toEqual([10, 40, 55, 90]);
  });

  it('goes through the frames by a drag in the ruler, and zooms at the pointer', async () => {
    const box = (await page.getByTestId('timeline-ruler').boundingBox())!;
    const y = box.y + 10;
    await drag({ x: (await placeOf(10, 0)).x, y }, { x: (await placeOf(72, 0)).x, y });
    await onFrame(72);
    const at = await placeOf(70, 0);
    await page.mouse.move(at.x, at.y);
    await page.keyboard.down('Control');
    for (let turn = 0; turn < 8; turn += 1) await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    // A frame is four times as wide: the same place is still frame 70, where a keyframe of the third track stands.
    await page.mouse.click(at.x, at.y + 48);
    await onFrame(70);
    await page.getByRole('button', { name: 'The whole job' }).click();
  });

  it('shows what the filter leaves, and closes and opens by its key', async () => {
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('dog');
    await expect.poll(() => page.getByTestId('timeline-name').allTextContents()).toEqual(['3dog']);
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('cat');
    await page.getByText('No track is called so.').waitFor();
    await page.getByRole('textbox', { name: 'Filter tracks' }).fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+j');
    await page.getByTestId('timeline').waitFor({ state: 'detached' });
    await page.reload();
    await waitFrame(page, 70, count);
    expect(await page.getByTestId('timeline').count()).toBe(0);
    await page.keyboard.press('Control+j');
    await page.getByTestId('timeline').waitFor();
    expect(workbench.pageErrors).toEqual([]);
  });
});
