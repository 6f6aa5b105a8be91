import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LabeledData, Track } from '../../preload/contract/schema/annotations.ts';
import { shapeAtFrame } from '../../preload/geometry/interpolation.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, goToFrame, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { storedIn } from './support/make-task.ts';
import { clickPlaces, drag, dropFiles, leaveCanvas, type Place } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 60;

const workbench = await useWorkbench();
const { page, service, folder } = workbench;

/** A film with `frames` frames; each third begins with a different keyframe. */
function makeFilm(name: string, frames: number, filmSize: string): string {
  const file = join(folder, name);
  const output = [
    '-frames:v',
    String(frames),
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-g',
    String(frames / 3),
    file,
  ];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc=size=${filmSize}:rate=30`, ...output]);
  return file;
}

describe('tracks on the canvas', () => {
  beforeAll(async () => {
    const file = makeFilm('moving.mp4', count, '640x480');
    await page.goto('/tasks');
    await dropFiles(page, [file]);
    await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
    await waitFrame(page, 0, count);
  });

  const goTo = (frame: number) => goToFrame(page, frame, count);
  const stored = async (): Promise<LabeledData> => {
    await waitSaved(page);
    return storedIn(workbench);
  };
  const framesOf = (track: Track | undefined): number[] => (track?.shapes ?? []).map(({ frame }) => frame);
  const at = (track: Track | undefined, frame: number) => shapeAtFrame(track!, frame)!;
  const card = () => page.getByTestId('track-controls');
  const by = ([x, y]: Place, dx: number): Place => [x + dx, y];
  /** On the canvas, which keeps its position when the first track opens the timeline. */
  const middle: Place = [0.5, 0.5];

  it('are drawn on one frame and edited on another, which adds a keyframe', async () => {
    await page.getByRole('radio', { name: 'Track', checked: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('w');
    await drag(page, [0.45, 0.4], [0.55, 0.6]);
    await answerName(page, 'car');
    await page.keyboard.press('s');
    await goTo(30);
    await expect.poll(() => page.getByTestId('object').count()).toBe(1);
    await drag(page, middle, by(middle, 0.2));
    const { tracks, shapes } = await stored();
    expect(shapes).toEqual([]);
    expect(tracks).toHaveLength(1);
    expect(framesOf(tracks[0])).toEqual([0, 30]);
    await goTo(15);
    await page.getByTestId('object-id').click();
    await expect.poll(() => page.getByTestId('keyframe-place').textContent()).toBe('1 of 2');
    // The screen interpolates like every reader of the stored keyframes: the click hits the box on frame 15.
    const [left = 0, , right = 0] = at(tracks[0], 15).points;
    expect((left + right) / 2).toBeCloseTo((at(tracks[0], 0).points[0]! + at(tracks[0], 30).points[2]!) / 2, 6);
    await page.keyboard.press('Escape');
    await clickPlaces(page, [by(middle, 0.1)]);
    await card().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('have keyframes, and are outside, occluded and pinned, by keys', async () => {
    await page.keyboard.press('k');
    await expect.poll(() => page.getByTestId('keyframe-place').textContent()).toBe('2 of 3');
    await page.keyboard.press('q');
    await page.keyboard.press('p');
    await page.keyboard.press('r');
    await waitFrame(page, 30, count);
    await page.keyboard.press('e');
    await waitFrame(page, 15, count);
    await goTo(40);
    await page.keyboard.press('o');
    await goTo(45);
    await expect.poll(() => page.getByTestId('object').count()).toBe(0);
    await page.keyboard.press('e');
    await waitFrame(page, 40, count);
    await page.getByTestId('track-marks').getByLabel('Outside').waitFor();
    const [track] = (await stored()).tracks;
    expect(framesOf(track)).toEqual([0, 15, 30, 40]);
    expect([0, 15, 20, 30].map((frame) => at(track, frame).occluded)).toEqual([false, true, true, false]);
    expect([39, 40, 59].map((frame) => at(track, frame).outside)).toEqual([false, true, true]);
    await page.keyboard.press('k');
    await expect.poll(async () => framesOf((await stored()).tracks[0])).toEqual([0, 15, 30]);
  });

  it('are deleted on all frames with Delete, which says so and can be undone, and from here on with Ctrl+Delete', async () => {
    const before = (await stored()).tracks;
    await goTo(20);
    await page.getByTestId('object-id').click();
    await page.keyboard.press('Delete');
    const told = page.getByText(
      'Deleted the track on all frames. To delete it from this frame on only, press Ctrl+Del.',
    );
    await told.waitFor();
    expect((await stored()).tracks).toEqual([]);
    await page.getByRole('alert').filter({ has: told }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await stored()).tracks.map(framesOf)).toEqual(before.map(framesOf));
    await page.getByTestId('object-id').click();
    await page.keyboard.press('Control+Delete');
    await expect.poll(async () => framesOf((await stored()).tracks[0])).toEqual([0, 15, 20]);
    const [cut] = (await stored()).tracks;
    expect([19, 20, 59].map((frame) => at(cut, frame).outside)).toEqual([false, true, true]);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored()).tracks.map(framesOf)).toEqual(before.map(framesOf));
  });

  it('are split and merged again, and undone step by step to the start', async () => {
    const [whole] = (await stored()).tracks;
    await goTo(20);
    await page.getByTestId('object-id').click();
    await page.keyboard.press('Alt+m');
    await expect.poll(async () => (await stored()).tracks.length).toBe(2);
    await goTo(10);
    await page.getByTestId('object-id').click();
    await page.keyboard.press('m');
    await goTo(50);
    await page.getByTestId('object-id').click();
    await page.getByTestId('merging').getByText('2 objects selected').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('m');
    await expect.poll(async () => (await stored()).tracks.length).toBe(1);
    const [merged] = (await stored()).tracks;
    for (let frame = 0; frame < count; frame += 1) {
      const [now, before] = [at(merged, frame), at(whole, frame)];
      expect([now.outside, now.occluded], `${frame}`).toEqual([before.outside, before.occluded]);
      now.points.forEach((value, index) => expect(value, `${frame}`).toBeCloseTo(before.points[index]!, 6));
    }
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored()).tracks.length).toBe(2);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored()).tracks.map(framesOf)).toEqual([[0, 15, 30]]);
  });

  it('are cut on either side, become shapes, and shapes become a track again', async () => {
    await goTo(10);
    await page.getByTestId('object-id').click();
    await card().getByRole('button', { name: 'More track actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete up to here' }).click();
    await expect.poll(async () => framesOf((await stored()).tracks[0])).toEqual([10, 15, 30]);
    await goTo(30);
    await page.getByTestId('object-id').click();
    await card().getByRole('button', { name: 'More track actions' }).click();
    await page.getByRole('menuitem', { name: 'Convert to shapes' }).click();
    await page.getByLabel('Every nth frame where it is visible').check();
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    await expect
      .poll(async () => (await stored()).shapes.map(({ frame }) => frame).toSorted((a, b) => a - b))
      .toEqual([10, 20, 30, 40, 50]);
    expect((await stored()).tracks).toEqual([]);
    await page.getByTestId('object-id').click();
    await page.keyboard.press('m');
    await goTo(50);
    await page.getByTestId('object-id').click();
    await page.keyboard.press('j');
    await expect.poll(async () => (await stored()).tracks.length).toBe(1);
    const [joined] = (await stored()).tracks;
    expect([30, 40, 50, 51].map((frame) => at(joined, frame).outside)).toEqual([false, false, false, true]);
    expect((await stored()).shapes.map(({ frame }) => frame).toSorted((a, b) => a - b)).toEqual([10, 20, 40]);
  });

  it('copy a shape to other frames', async () => {
    await goTo(20);
    await page
      .getByTestId('object')
      .filter({ hasNot: page.getByTestId('track-marks') })
      .getByTestId('object-id')
      .click();
    await page.keyboard.press('Control+b');
    await page.getByRole('textbox', { name: 'To frame' }).fill('26');
    await page.getByRole('textbox', { name: 'Every nth frame' }).fill('2');
    await page.getByText('3 copies').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const copies = async () => (await stored()).shapes.map(({ frame }) => frame).toSorted((a, b) => a - b);
    await expect.poll(copies).toEqual([10, 20, 22, 24, 26, 40]);
  });

  it('are restored after a reload', async () => {
    const before = await stored();
    await page.reload();
    await waitFrame(page, 20, count);
    expect(await stored()).toEqual(before);
    await goTo(40);
    await expect.poll(() => page.getByTestId('track-marks').count()).toBe(1);
    await leaveCanvas(page);
  });
});

const long = 150;

describe('a track of 150 frames over three jobs', () => {
  const video = readFileSync(makeFilm('long.mp4', long, '320x240'));
  let drawn = 0;

  /** Jobs of 54 frames that share 6 with the next one. */
  const makeTask = async (name: string): Promise<{ task: number; jobs: number[] }> => {
    const { id: task } = await service.createTask({ name, labels: [{ name: 'car' }], segment_size: 54, overlap: 6 });
    const files = [{ name: 'long.mp4', bytes: video }];
    await service.finished(await service.uploadImages(task, files));
    return { task, jobs: await service.jobsOf(task) };
  };
  const open = async (task: number, job: number, frame: number): Promise<void> => {
    await page.goto(`/tasks/${task}/jobs/${job}?frame=${frame}`);
    await onFrame(frame);
  };
  const onFrame = (frame: number): Promise<void> =>
    page
      .locator(`[data-testid="frame-shown"][data-frame="${frame}"]:not([data-picture="loading"])`)
      .waitFor({ state: 'attached' });
  const goTo = async (frame: number): Promise<void> => {
    await page.keyboard.press('Backquote');
    await page.keyboard.type(String(frame));
    await page.keyboard.press('Enter');
    await onFrame(frame);
  };
  const seen = async (task: number) => {
    const { tracks } = await service.annotations('tasks', task);
    return Array.from({ length: long }, (_, frame) =>
      tracks.flatMap((track) => {
        const shape = frame < track.frame ? null : shapeAtFrame(track, frame);
        return shape === null || shape.outside
          ? []
          : [{ points: shape.points.map((value) => Math.round(value * 100) / 100), occluded: shape.occluded }];
      }),
    );
  };

  type Mover = (dx: number) => Promise<void>;
  const byKeys: Mover = async (dx) => {
    await page.keyboard.press('Tab');
    for (let left = dx; left > 0; left -= 10) await page.keyboard.press('Shift+ArrowRight');
  };
  const centre = async (): Promise<{ x: number; y: number; scale: number }> => {
    const box = (await page.getByTestId('canvas').boundingBox())!;
    const picture = page.locator('canvas[data-layer="image"]');
    await picture.waitFor();
    const scale = Math.min(box.width - 32, ((box.height - 32) * 320) / 240) / 320;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, scale };
  };
  let away = 0;
  const byPointer: Mover = async (dx) => {
    const { x, y, scale } = await centre();
    await page.mouse.move(x + away * scale, y);
    await page.mouse.down();
    await page.mouse.move(x + (away + dx / 2) * scale, y);
    await page.mouse.move(x + (away + dx) * scale, y);
    await page.mouse.up();
    away += dx;
  };

  const drawByKeys = async (): Promise<void> => {
    await page.keyboard.press('w');
    await page.keyboard.press('Enter');
    await page.keyboard.press('s');
  };
  const drawByPointer = async (): Promise<void> => {
    const { x, y, scale } = await centre();
    await page.keyboard.press('w');
    await page.mouse.move(x + (away - 40) * scale, y - 30 * scale);
    await page.mouse.down();
    await page.mouse.move(x + away * scale, y);
    await page.mouse.move(x + (away + 40) * scale, y + 30 * scale);
    await page.mouse.up();
    await page.keyboard.press('s');
  };

  /** Two keyframes in each of three jobs; occluded in the second, a gap in the third. */
  async function annotate(
    task: number,
    jobs: readonly number[],
    draw: () => Promise<void>,
    move: Mover,
  ): Promise<void> {
    away = 0;
    await open(task, jobs[0]!, 0);
    await draw();
    await goTo(40);
    await move(20);
    await waitSaved(page);
    await open(task, jobs[1]!, 48);
    await draw();
    // A box that the keyboard draws in the centre is beside that of the previous job, so it is moved onto it.
    if (draw === drawByKeys) await move(20);
    await goTo(90);
    await move(20);
    await page.keyboard.press('q');
    await waitSaved(page);
    await open(task, jobs[2]!, 96);
    await draw();
    if (draw === drawByKeys) await move(40);
    await goTo(120);
    await page.keyboard.press('Tab');
    await page.keyboard.press('o');
    await goTo(130);
    await page.keyboard.press('o');
    await waitSaved(page);
  }

  it.each([
    ['by a pointer', drawByPointer, byPointer],
    ['by keys alone', drawByKeys, byKeys],
  ] as const)('is drawn %s, split, merged, and is the same on each frame', async (how, draw, move) => {
    const { task, jobs } = await makeTask(how);
    drawn = task;
    await annotate(task, jobs, draw, move);
    await goTo(110);
    await page.keyboard.press('Tab');
    const before = await seen(task);
    // One object on every frame except those of the gap, occluded from 90 to the end of its job.
    expect(before.map((shapes) => shapes.length)).toEqual(
      Array.from({ length: long }, (_, frame) => (frame >= 120 && frame < 130 ? 0 : 1)),
    );
    expect(before.flatMap((shapes, frame) => (shapes[0]?.occluded === true ? [frame] : []))).toContain(92);
    expect((await service.annotations('tasks', task)).tracks).toHaveLength(1);
    await page.keyboard.press('Alt+m');
    await waitSaved(page);
    expect(await seen(task)).toEqual(before);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('m');
    await goTo(100);
    await page.keyboard.press('Tab');
    await page.keyboard.press('m');
    await waitSaved(page);
    expect(await seen(task)).toEqual(before);
  });

  it.each([
    ['CVAT 1.1', 'CVAT for video 1.1'],
    ['MOT 1.1', 'MOT 1.1'],
    ['COCO 1.0', 'COCO 1.0'],
    ['Datumaro 1.0', 'Datumaro 1.0'],
  ])('is the same after an export and an import as %s', async (reader, writer) => {
    const file = join(folder, `${reader}.zip`);
    await service.exportDataset('tasks', drawn, writer, file);
    const { task } = await makeTask(reader);
    await service.importAnnotations('tasks', task, reader, { path: file });
    expect(await seen(task)).toEqual(await seen(drawn));
  });
});
