import { join } from 'node:path';
import sharp from 'sharp';
import { openSource } from '../../main/formats/io/open-source.ts';
import { describe, expect, it } from 'vitest';
import type { Shape } from '../../preload/contract/schema/annotations.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { storedShapes } from './support/make-task.ts';
import { drag, leaveCanvas } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service } = workbench;

const colors = { figure: '#0000ff', head: '#ff0000', foot: '#00ff00' };
const drawing =
  '<line x1="50" y1="10" x2="50" y2="90" data-type="edge" data-node-from="1" data-node-to="2"></line>' +
  '<circle r="1.5" cx="50" cy="10" data-type="element node" data-element-id="1" data-node-id="1" data-label-name="head"></circle>' +
  '<circle r="1.5" cx="50" cy="90" data-type="element node" data-element-id="2" data-node-id="2" data-label-name="foot"></circle>';

const greyPicture = () =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();

async function countPixels(picture: Buffer, color: string): Promise<number> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  let count = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    if (wanted.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) < 60)) count += 1;
  }
  return count;
}

const shapes = () => storedShapes(workbench);

describe('a skeleton in the workspace', () => {
  it('is drawn with its lines, and each point in the color of its label', async () => {
    const grey = await greyPicture();
    const sublabels = (['head', 'foot'] as const).map((name) => ({
      name,
      type: 'points' as const,
      color: colors[name],
    }));
    const task = await service.makeTask('figures', {
      labels: [{ name: 'figure', type: 'skeleton', color: colors.figure, svg: drawing, sublabels }],
      images: [{ name: 'grey.png', bytes: grey }],
    });
    const [job] = await service.jobsOf(task);
    const figure = (await service.labels(task)).find(({ name }) => name === 'figure');
    const element = (index: number, points: number[]) => ({
      type: 'points',
      frame: 0,
      label_id: figure?.sublabels[index]?.id,
      points,
    });
    const shape = {
      type: 'skeleton',
      frame: 0,
      label_id: figure?.id,
      points: [],
      elements: [element(0, [300, 80]), element(1, [320, 400])],
    };
    await service.ask('PATCH', `/api/jobs/${job}/annotations/?action=create`, { shapes: [shape] });

    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, 1);
    await page.getByTestId('object').waitFor();
    await leaveCanvas(page);
    const count = async (color: string) => countPixels(await page.getByTestId('canvas').screenshot(), color);
    await expect.poll(() => count(colors.figure)).toBeGreaterThan(250);
    expect(await count(colors.head)).toBeGreaterThan(15);
    expect(await count(colors.foot)).toBeGreaterThan(15);
  });

  it('is drawn by the template of its label, corrected by its points, and by keys alone', async () => {
    const points = ({ elements }: Shape) => elements.map((element) => element.points);
    await page.getByRole('button', { name: 'Skeleton' }).click();
    await drag(page, [0.2, 0.2], [0.4, 0.8]);
    await expect.poll(() => page.getByTestId('object').count()).toBe(2);
    const [, drawn] = await shapes();
    const [[headX = 0, headY = 0] = [], [footX = 0, footY = 0] = []] = points(drawn!);
    // The template has one point directly above the other.
    expect(headX).toBeCloseTo(footX, 1);
    expect(footY - headY).toBeGreaterThan(200);

    await page.keyboard.press('s');
    await drag(page, [0.3, 0.8], [0.35, 0.75]);
    await expect.poll(async () => points((await shapes())[1]!)[1]?.[0]).toBeGreaterThan(footX + 10);
    expect(points((await shapes())[1]!)[0]).toEqual([headX, headY]);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => points((await shapes())[1]!)).toEqual(points(drawn!));

    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+K');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('object').count()).toBe(3);
    await page.reload();
    await waitFrame(page, 0, 1);
    await expect.poll(() => page.getByTestId('object').count()).toBe(3);
    expect((await shapes()).map(({ elements }) => elements.length)).toEqual([2, 2, 2]);
  });

  it('has a state for each point: by list, key and menu, and the COCO export contains it', async () => {
    await page.getByTestId('object').last().click();
    const points = page.getByTestId('points');
    const states = async () =>
      (await shapes()).map(({ elements }) => elements.map(({ occluded, outside }) => (outside ? 0 : occluded ? 1 : 2)));
    await points.getByRole('button', { name: 'head: Occluded' }).click();
    await expect.poll(states).toContainEqual([1, 2]);
    await points.getByRole('button', { name: 'foot', exact: true }).click();
    await page.keyboard.press('o');
    await expect.poll(states).toContainEqual([1, 0]);
    await page.reload();
    await waitFrame(page, 0, 1);
    await page.getByTestId('object').last().click();
    await points.getByRole('button', { name: 'foot: Outside', pressed: true }).waitFor();
    await page.keyboard.press('Period');
    await page.keyboard.press('Period');
    await points.locator('[data-chosen]').filter({ hasText: 'foot' }).waitFor();
    await page.keyboard.press('i');
    await expect.poll(states).toContainEqual([1, 2]);
    await page.keyboard.press('o');
    await expect.poll(states).toContainEqual([1, 0]);

    const job = Number(/jobs\/(\d+)/.exec(page.url())?.[1]);
    const file = join(workbench.folder, 'keypoints.zip');
    await service.exportDataset('jobs', job, 'COCO Keypoints 1.0', file);
    const archive = await openSource({ path: file, name: 'keypoints.zip' });
    const text = String(await archive.read('annotations/person_keypoints_default.json'));
    await archive.close();

    const { annotations } = JSON.parse(text) as { annotations: { keypoints: number[] }[] };
    const visibility = annotations.map(({ keypoints }) => keypoints.filter((_, index) => index % 3 === 2));
    expect(visibility).toContainEqual([1, 0]);
  });

  it('cannot be started without a skeleton label', async () => {
    const task = await service.makeTask('no figures', {
      labels: [{ name: 'car', type: 'any' }],
      images: [{ name: 'grey.png', bytes: await greyPicture() }],
    });
    const [job] = await service.jobsOf(task);
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, 1);
    await page.keyboard.press('Shift+K');
    await page.getByText('No label has a skeleton').waitFor();
  });
});
