import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { waitFrame, waitSaved } from './annotate-screen.ts';
import type { Workbench } from './workbench.ts';

export const streetFrames = 100;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A video with two cars and a dog: its job, and helpers for its timeline. */
export async function openStreet(workbench: Workbench) {
  const { page, service } = workbench;
  const count = streetFrames;
  const file = join(workbench.folder, 'street.mp4');
  const output = ['-frames:v', String(count), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '25', file];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25', ...output]);
  const { id: task } = await service.createTask({ name: 'street', labels: [{ name: 'car' }, { name: 'dog' }] });
  await service.finished(await service.uploadImages(task, [{ name: 'street.mp4', bytes: readFileSync(file) }]));
  const [job = 0] = await service.jobsOf(task);
  const [car, dog] = (await service.labels(task)).map(({ id }) => id);
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
  await service.changeAnnotations('jobs', job, 'create', {
    tracks: [
      trackOf(car!, [[0], [30], [60, 'occluded'], [80]]),
      trackOf(car!, [[10], [40, 'outside'], [55], [90, 'outside']]),
      trackOf(dog!, [[20], [70]]),
    ],
  });

  const rows = (): Locator => page.getByTestId('timeline-rows');
  const placeOf = async (frame: number, row: number): Promise<Place> => {
    const box = (await rows().boundingBox())!;
    return { x: box.x + ((frame + 0.5) / count) * box.width, y: box.y + row * 24 + 12 };
  };
  const keyframes = async (): Promise<number[][]> => {
    await waitSaved(page);
    const { tracks } = await service.annotations('jobs', job);
    return tracks.map(({ shapes }) => shapes.map(({ frame }) => frame));
  };
  const drag = async (from: Place, to: Place): Promise<void> => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, to.y);
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
  };
  const onFrame = (frame: number): Promise<void> => waitFrame(page, frame, count);
  return {
    service,
    task,
    job,
    rows,
    placeOf,
    keyframes,
    drag,
    onFrame,
    async open(): Promise<void> {
      await page.goto(`/tasks/${task}/jobs/${job}`);
      await onFrame(0);
    },
  };
}
