import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { answerName, expectSameViews, typeLabel, viewFrames, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { sharedPhotos } from './support/paths.ts';
import { clickPlaces, drag, dropFiles } from './support/pointer.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

interface Stored {
  readonly shapes: readonly {
    readonly id: number;
    readonly type: string;
    readonly frame: number;
    readonly points: readonly number[];
  }[];
  readonly tags: readonly { readonly id: number; readonly frame: number }[];
}

const stored = async ({ page }: Workbench): Promise<Stored> => {
  const job = /jobs\/(\d+)/.exec(page.url())?.[1] ?? '';
  const answer = await page.request.get(`/api/jobs/${job}/annotations/`);
  return (await answer.json()) as Stored;
};

/** Ids aside: what undo took away and redo brought back is a new object for the service. */
const content = ({ shapes, tags }: Stored) => ({
  shapes: shapes.map(({ id: _id, ...shape }) => JSON.stringify(shape)).toSorted(),
  tags: tags.map(({ id: _id, ...tag }) => JSON.stringify(tag)).toSorted(),
});

async function annotate({ page }: Workbench, count: number): Promise<void> {
  await page.keyboard.press('w');
  await drag(page, [0.2, 0.2], [0.45, 0.5]);
  await answerName(page, 'car');
  await page.keyboard.press('Shift+P');
  await clickPlaces(page, [
    [0.55, 0.3],
    [0.75, 0.35],
    [0.7, 0.6],
    [0.5, 0.55],
  ]);
  await page.keyboard.press('n');
  await page.keyboard.press('f');
  await waitFrame(page, 1, count);
  await typeLabel(page, 'person');
  await page.keyboard.press('Shift+L');
  await clickPlaces(page, [
    [0.3, 0.3],
    [0.5, 0.4],
    [0.6, 0.7],
  ]);
  await page.keyboard.press('n');
  await page.keyboard.press('Shift+O');
  await clickPlaces(page, [
    [0.35, 0.6],
    [0.4, 0.65],
  ]);
  await page.keyboard.press('n');
  await page.keyboard.press('f');
  await waitFrame(page, 2, count);
  await page.keyboard.press('1');
  await page.keyboard.press('Shift+E');
  await drag(page, [0.4, 0.4], [0.6, 0.6]);
  await page.keyboard.press('Alt+T');
  await page.getByRole('list', { name: 'Tags' }).getByText('car').waitFor();
}

const flow = (photos: (folder: string) => Promise<string>) => () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench();
  });
  afterAll(() => workbench?.close());

  it('keeps everything through undo, redo, a reload and a killed server', async () => {
    const { page } = workbench;
    const folder = await photos(workbench.folder);
    const count = readdirSync(folder).length;
    expect(count).toBe(8);
    await dropFiles(page, [folder]);
    await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
    await waitFrame(page, 0, count);

    await annotate(workbench, count);
    await waitSaved(page);
    const drawn = content(await stored(workbench));
    expect(drawn.shapes).toHaveLength(5);
    expect(drawn.tags).toHaveLength(1);
    const before = await viewFrames(page, [0, 1, 2], count);
    expect(before.map((view) => view.objects.length)).toEqual([2, 2, 2]);

    for (let times = 0; times < 5; times += 1) await page.getByTestId('undo').click();
    await waitFrame(page, 0, count);
    await waitSaved(page);
    const undone = await stored(workbench);
    expect([undone.shapes.length, undone.tags.length]).toEqual([1, 0]);
    for (let times = 0; times < 5; times += 1) await page.getByTestId('redo').click();
    await waitFrame(page, 2, count);
    await waitSaved(page);
    expect(content(await stored(workbench))).toEqual(drawn);
    expectSameViews(await viewFrames(page, [0, 1, 2], count), before);

    await page.reload();
    await waitFrame(page, 2, count);
    expectSameViews(await viewFrames(page, [0, 1, 2], count), before);
    expect(content(await stored(workbench))).toEqual(drawn);

    await page.keyboard.press('w');
    await drag(page, [0.15, 0.15], [0.3, 0.3]);
    while ((await stored(workbench)).shapes.length < 6);
    await waitSaved(page);
    await workbench.kill();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await workbench.restart();
    await page.reload();
    await waitFrame(page, 2, count);
    const after = await stored(workbench);
    expect(after.shapes).toHaveLength(6);
    expect(
      after.shapes
        .filter((shape) => shape.frame === 2)
        .map((shape) => shape.type)
        .toSorted(),
    ).toEqual(['ellipse', 'rectangle']);
    expectSameViews(await viewFrames(page, [0, 1], count), before.slice(0, 2));
    expect(workbench.pageErrors).toEqual([]);
  });
};

describe(
  'the first annotation, on images made for it',
  flow(async (folder) => {
    const images = join(folder, 'street');
    await writeImages(images, await makeImages(8, { width: 640, height: 480 }));
    return images;
  }),
);

describe.skipIf(!existsSync(sharedPhotos))(
  'the first annotation, on photographs',
  flow(() => Promise.resolve(sharedPhotos)),
);
