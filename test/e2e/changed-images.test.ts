import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeImage, makeImages, writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

const { page, service, folder } = await useWorkbench();
const pictures = join(folder, 'pictures');
const images = await makeImages(4, { width: 640, height: 480, text: 'in place' });
const paths = await writeImages(pictures, images);
const { id: task } = await service.createTask({ name: 'pictures in place', labels: [{ name: 'thing' }] });
await service.finished(await service.useServerFiles(task, paths));
const job = (await service.jobs(task))[0]?.id ?? 0;
const [label] = await service.labels(task);
const shape = { type: 'rectangle' as const, frame: 1, label_id: label?.id ?? 0, points: [10, 10, 90, 60] };
await service.replaceAnnotations('tasks', task, { shapes: [shape] });
writeFileSync(join(pictures, 'image-001.jpg'), await makeImage({ width: 640, height: 480, text: 'another' }));
rmSync(join(pictures, 'image-002.jpg'));

describe('images that were replaced after they were annotated', () => {
  it('are named on the page of their task', async () => {
    await page.goto(`/tasks/${task}`);
    const sentence = '2 images have changed since annotation: image-001.jpg, image-002.jpg (missing)';
    await page.getByText(sentence, { exact: true }).waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('are marked on the canvas, and the others are not', async () => {
    await page.goto(`/tasks/${task}/jobs/${job}?frame=1`);
    await page.getByText('This is not the image that was annotated: its file was replaced.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.keyboard.press('f');
    await page.getByText('The file of this image is missing. Its annotations are kept.').waitFor();
    await page.keyboard.press('f');
    await page.locator('[data-testid=frame-shown][data-frame="3"][data-picture=ready]').waitFor({ state: 'attached' });
    await expect.poll(() => page.getByText('its file was replaced').count()).toBe(0);
    await expect.poll(() => page.getByText('of this image is missing').count()).toBe(0);
  });
});
