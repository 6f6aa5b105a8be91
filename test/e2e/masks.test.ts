import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../main/formats/io/open-source.ts';
import { maskArea, maskToBitmap } from '../../preload/geometry/mask-runs.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { answerName, waitFrame } from './support/annotate-screen.ts';
import { dropNewTask, jobOf, storedShapes } from './support/make-task.ts';
import { clickPlaces, drag, type Place } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

interface CocoAnnotation {
  readonly iscrowd: number;
  readonly area: number;
  readonly segmentation: { readonly size: readonly number[]; readonly counts: readonly number[] | string };
}

const workbench = await useWorkbench();
const { page, service, folder } = workbench;
await dropNewTask(workbench, 'pond', 2);

const masks = async () => (await storedShapes(workbench)).filter(({ type }) => type === 'mask');
const objects = () => page.getByTestId('object');
const press = (key: string) => page.keyboard.press(key);

async function selectNothing(): Promise<void> {
  for (let times = 0; times < 3; times += 1) await press('Escape');
}

const square = (left: number, top: number, right: number, bottom: number): Place[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

describe('masks', () => {
  it('are painted with brush, eraser and polygons as one object, around a hole', async () => {
    await page.getByRole('button', { name: 'Mask: brush' }).click();
    await page.getByRole('toolbar', { name: 'Mask tools' }).waitFor();
    await press('Shift+3');
    await clickPlaces(page, square(0.2, 0.2, 0.5, 0.6));
    await press('Enter');
    await press('Shift+4');
    await clickPlaces(page, square(0.3, 0.3, 0.4, 0.45));
    await press('Enter');
    await press('Shift+1');
    await drag(page, [0.5, 0.4], [0.6, 0.4]);
    await press('Shift+2');
    await drag(page, [0.21, 0.21], [0.25, 0.21]);
    await press('Enter');
    await answerName(page, 'water');
    await expect.poll(() => objects().count()).toBe(1);
    const [mask, ...others] = await masks();
    expect(others).toEqual([]);
    const { bitmap, width, height } = maskToBitmap(mask?.points ?? []);
    const at = (x: number, y: number) => bitmap[Math.round(y * height) * width + Math.round(x * width)];
    expect([at(0.37, 0.45), at(0.1, 0.8), at(0.95, 0.5)]).toEqual([0, 1, 1]);
  });

  it('have their holes filled, and subtract from objects below', async () => {
    const [before] = await masks();
    await press('Escape');
    await press('s');
    await clickPlaces(page, [[0.25, 0.5]]);
    await press('Shift+1');
    await page.getByRole('button', { name: 'Fill holes in the mask' }).click();
    await expect
      .poll(async () => maskArea((await masks())[0]?.points ?? []))
      .toBeGreaterThan(maskArea(before?.points ?? []));
    const [whole] = await masks();
    await selectNothing();
    await press('Shift+1');
    await page.getByRole('button', { name: 'Remove from masks underneath' }).click();
    await press('Shift+3');
    await clickPlaces(page, square(0.1, 0.1, 0.3, 0.7));
    await press('Enter');
    await press('Enter');
    await expect.poll(() => objects().count()).toBe(2);
    const [below, above] = await masks();
    expect(maskArea(below?.points ?? [])).toBeLessThan(maskArea(whole?.points ?? []));
    await press('Control+z');
    await expect.poll(() => objects().count()).toBe(1);
    await expect.poll(async () => (await masks()).map(({ points }) => points)).toEqual([whole?.points]);
    await press('Control+Shift+z');
    await expect.poll(() => objects().count()).toBe(2);
    await expect.poll(async () => (await masks()).map(({ points }) => points)).toEqual([below?.points, above?.points]);
  });

  it('in progress are saved when the frame changes', async () => {
    await selectNothing();
    await press('Shift+1');
    await drag(page, [0.7, 0.7], [0.8, 0.8]);
    await press('f');
    await waitFrame(page, 1, 2);
    await press('d');
    await waitFrame(page, 0, 2);
    await expect.poll(() => objects().count()).toBe(3);
    await page.waitForURL(/frame=0/);
    await page.reload();
    await waitFrame(page, 0, 2);
    await expect.poll(() => objects().count()).toBe(3);
    expect(await masks()).toHaveLength(3);
  });

  it('are created by keys alone', async () => {
    await press('Shift+1');
    await press('BracketRight');
    await press('Enter');
    await press('Enter');
    await expect.poll(() => objects().count()).toBe(4);
  });

  it('have tools without a serious accessibility fault', async () => {
    await press('Shift+1');
    expect(await breachesInBothThemes(page)).toEqual([]);
    await press('Escape');
  });
});

describe('a cuboid', () => {
  it('is drawn, stays after a reload, and is exported with its eight points', async () => {
    await page.getByRole('button', { name: 'Cuboid' }).click();
    await drag(page, [0.65, 0.2], [0.8, 0.4]);
    await expect.poll(() => objects().count()).toBe(5);
    await page.reload();
    await waitFrame(page, 0, 2);
    await expect.poll(() => objects().count()).toBe(5);
    const cuboid = (await storedShapes(workbench)).find(({ type }) => type === 'cuboid');
    expect(cuboid?.points).toHaveLength(16);
    const file = join(folder, 'export.zip');
    await service.exportDataset('jobs', jobOf(workbench), 'CVAT for images 1.1', file);
    const archive = await openSource({ path: file, name: 'export.zip' });
    const xml = String(await archive.read('annotations.xml'));
    await archive.close();
    expect(xml).toMatch(/<cuboid [^>]*xtl1="/);
    expect(xml.match(/<mask /g)).toHaveLength(4);
  });

  it('and masks beside it are exported to COCO, masks as run lengths of the painted pixels', async () => {
    const file = join(folder, 'coco.zip');
    await service.exportDataset('jobs', jobOf(workbench), 'COCO 1.0', file);
    const archive = await openSource({ path: file, name: 'coco.zip' });
    const text = String(await archive.read('annotations/instances_default.json'));
    await archive.close();
    const { annotations } = JSON.parse(text) as { annotations: CocoAnnotation[] };
    const painted = annotations.filter(({ segmentation }) => !Array.isArray(segmentation));
    expect(painted.every(({ iscrowd }) => iscrowd === 0)).toBe(true);
    expect(painted.map(({ area }) => area)).toEqual((await masks()).map(({ points }) => maskArea(points)));
    for (const { segmentation } of painted) expect(segmentation.size).toEqual([480, 640]);
  });
});
