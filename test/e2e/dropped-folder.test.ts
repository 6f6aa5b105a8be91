import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeImage, makeImages, writeImages } from '../support/images.ts';
import { breachesInBothThemes } from './support/accessibility.ts';
import { goToFrame, typeLabel, waitFrame, waitSaved } from './support/annotate-screen.ts';
import { jobOf, storedIn, storedShapes, taskOf } from './support/make-task.ts';
import { drag, dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder } = workbench;

/** More than the window sends in two requests. */
const frames = 1000;
const photos = join(folder, 'photos');
/** Not in the order of the bytes: 2 is before 10. */
const nameOf = (frame: number): string => `photo-${frame + 1}.jpg`;
const textFrame = 700;
const files = /\/unsent-images\/files$/;

beforeAll(async () => {
  mkdirSync(photos);
  const image = await makeImage({ width: 640, height: 480 });
  for (let frame = 0; frame < frames; frame += 1) {
    writeFileSync(join(photos, nameOf(frame)), frame === textFrame ? 'text' : image);
  }
  writeFileSync(join(photos, 'notes.txt'), 'notes');
});

/** Holds the images back until `release` is called. */
async function holdImages(): Promise<{ release: () => Promise<void>; sent: () => number }> {
  const released = Promise.withResolvers<void>();
  let count = 0;
  await page.route(files, async (route) => {
    await released.promise;
    count += 1;
    await route.continue().catch(() => undefined);
  });
  return {
    sent: () => count,
    async release() {
      released.resolve();
      await page.unroute(files);
    },
  };
}

async function dropPhotos(): Promise<void> {
  await page.goto('/tasks');
  // A browser asks before it closes a page only if the user has touched it.
  await page.getByRole('heading').first().click();
  await dropFiles(page, [photos]);
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, frames);
}

const picture = () => page.getByTestId('frame-shown').getAttribute('data-picture');
const unsent = async (): Promise<number> => {
  const path = `/api/limner/jobs/${jobOf(workbench)}/frames/progress`;
  return (await service.good<{ unsent: number }>('GET', path)).unsent;
};
const allSent = () => expect.poll(unsent, { timeout: 60_000 }).toBe(0);
const sendingLine = () => page.getByText(/^Sending images: [\d,]+ of 1,?000$/);

async function drawBox(): Promise<void> {
  await typeLabel(page, 'boat');
  await page.keyboard.press('w');
  await drag(page, [0.3, 0.3], [0.5, 0.6]);
  await waitSaved(page);
}

describe('a folder that is dropped on the page', () => {
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  it('is annotated from its own files before any image was sent, and keeps its order', async () => {
    const images = await holdImages();
    await dropPhotos();
    expect([await picture(), images.sent(), await unsent()]).toEqual(['ready', 0, frames]);
    await sendingLine().waitFor();
    await drawBox();
    await goToFrame(page, 900, frames);
    expect(await picture()).toBe('ready');
    await page.getByText(nameOf(900)).first().waitFor();
    expect(await unsent()).toBe(frames);
    expect(await breachesInBothThemes(page)).toEqual([]);

    await images.release();
    await allSent();
    await sendingLine().waitFor({ state: 'detached' });
    const meta = await service.meta('jobs', jobOf(workbench));
    expect(meta.frames?.map(({ name }) => name)).toEqual(
      Array.from({ length: frames }, (_, frame) => `photos/${nameOf(frame)}`),
    );
    expect(meta.deleted_frames).toEqual([textFrame]);
    expect((await storedIn(workbench)).shapes.map(({ frame }) => frame)).toEqual([0]);
    await goToFrame(page, 901, frames);
    expect(await picture()).toBe('ready');
  });

  it('opens a file when it is its turn, so a file that was changed after the drop is sent', async () => {
    const images = await holdImages();
    await dropPhotos();
    await sendingLine().waitFor();
    const file = join(photos, nameOf(990));
    const before = readFileSync(file);
    writeFileSync(file, await makeImage({ width: 320, height: 240 }));
    await images.release();
    await allSent();
    writeFileSync(file, before);
    const meta = await service.meta('jobs', jobOf(workbench));
    expect(meta.frames?.[990]).toMatchObject({ width: 320, height: 240 });
  });

  it('converts objects to masks on a frame that was neither shown nor sent', async () => {
    const images = await holdImages();
    await dropPhotos();
    await typeLabel(page, 'boat');
    await expect.poll(async () => (await service.labels(taskOf(workbench))).length).toBe(1);
    const [{ id: label_id } = { id: 0 }] = await service.labels(taskOf(workbench));
    const shapes = [{ type: 'rectangle' as const, frame: 800, label_id, points: [100, 200, 110, 205] }];
    await service.changeAnnotations('jobs', jobOf(workbench), 'create', { shapes });
    await page.keyboard.press('Control+e');
    const dialog = page.getByRole('dialog', { name: 'Bulk edit' });
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Convert shapes' }).click();
    await dialog.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Mask' }).click();
    await dialog.getByRole('button', { name: 'Convert 1 object' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [mask] = await storedShapes(workbench);
    expect([mask?.type, mask?.frame, mask?.points?.slice(-4)]).toEqual(['mask', 800, [100, 200, 109, 204]]);
    await images.release();
    await allSent();
  });

  it('says of a file that is not an image what it is, before the others are sent', async () => {
    const images = await holdImages();
    await dropPhotos();
    await page.getByRole('textbox', { name: 'Frame number' }).fill(String(textFrame));
    await page.keyboard.press('Enter');
    await page.unroute(files);
    await images.release();
    await page.getByText(`photos/${nameOf(textFrame)} is not an image: it starts like text.`).waitFor();
    await allSent();
  });

  it('asks before the page is closed while images are missing', async () => {
    const images = await holdImages();
    await dropPhotos();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);
    page.removeAllListeners('dialog');
    await images.release();
    await allSent();
  });

  it('continues after a reload when the folder is dropped again, and sends only what is missing', async () => {
    let held = 0;
    await page.route(files, async (route) => {
      held += 1;
      if (held <= 2) await route.continue();
    });
    await dropPhotos();
    await drawBox();
    await expect.poll(unsent).toBe(frames - 400);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await waitFrame(page, 0, frames);
    await page.getByText(`${frames - 400} of ${frames} images were not sent.`).waitFor();
    await goToFrame(page, 900, frames);
    await page.getByText(`photos/${nameOf(900)} was not sent yet.`, { exact: false }).waitFor();
    const requests: number[] = [];
    page.on('request', (request) => files.test(request.url()) && requests.push(1));
    await dropFiles(page, [photos]);
    await allSent();
    // A request takes 200 images. Two requests at the same time may share the last ones.
    expect(requests.length).toBeLessThan(frames / 200);
    page.removeAllListeners('request');
    expect((await storedIn(workbench)).shapes.map(({ frame }) => frame)).toEqual([0]);
  });

  it('continues after the service was restarted', async () => {
    let isKilled = false;
    await page.route(files, async (route) => {
      // The other request may ask while the service is away.
      const kills = !isKilled && (await unsent().catch(() => frames)) < frames;
      if (!kills) return route.continue().catch(() => undefined);
      isKilled = true;
      await workbench.kill();
      await route.continue().catch(() => undefined);
      return workbench.restart();
    });
    await dropPhotos();
    await allSent();
    const meta = await service.meta('jobs', jobOf(workbench));
    expect(meta.frames?.filter(({ width }) => width === 640)).toHaveLength(frames - 1);
    expect(isKilled).toBe(true);
  });

  it('can be used without the images that never came', async () => {
    const small = join(folder, 'small');
    await writeImages(small, await makeImages(3));
    await page.route(files, () => undefined);
    await page.goto('/tasks');
    await dropFiles(page, [small]);
    await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
    await waitFrame(page, 0, 3);
    const task = taskOf(workbench);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`/tasks/${task}`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByText('3 of 3 images were not sent.').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Exclude missing frames' }).click();
    await page.getByText('images were not sent', { exact: false }).waitFor({ state: 'detached' });
    expect((await service.meta('tasks', task)).deleted_frames).toEqual([0, 1, 2]);
  });
});
