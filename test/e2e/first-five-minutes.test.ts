import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeImages, writeImages } from '../support/images.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { storedIn, taskOf } from './support/make-task.ts';
import { repository } from './support/paths.ts';
import { drag, dropFiles } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const workbench = await useWorkbench();
const { page, service, folder } = workbench;
const photos = join(folder, 'photos');
mkdirSync(photos);
await writeImages(photos, await makeImages(4, { width: 640, height: 480 }));

const stored = () => storedIn(workbench);
const labelNames = async () => (await service.labels(taskOf(workbench))).map(({ name }) => name);
const question = () => page.getByTestId('naming');
const openTask = async (): Promise<void> => {
  await page.goto('/');
  await dropFiles(page, [photos]);
  await page.waitForURL(/\/tasks\/\d+\/jobs\/\d+/);
  await waitFrame(page, 0, 4);
};

const steps: readonly (readonly [sentence: string, play: () => Promise<void>])[] = [
  [
    '`npm start`. The window opens, signed in.',
    () => page.getByRole('navigation', { name: 'Main navigation' }).waitFor(),
  ],
  ['Drop a folder of photos on the window. Limner creates a task and opens it.', openTask],
  [
    'Press `W` and drag a box (or click two corners), type a name for the first label, press Enter. Draw the next one: the tool stays.',
    async () => {
      await page.keyboard.press('w');
      await drag(page, [0.2, 0.2], [0.4, 0.5]);
      // Each letter is a shortcut of the screen: none may act while typing.
      await page.keyboard.type('person');
      await page.keyboard.press('Enter');
      await question().waitFor({ state: 'detached' });
      await drag(page, [0.5, 0.5], [0.7, 0.7]);
      await waitSaved(page);
      const { shapes, tags } = await stored();
      expect(shapes.map(({ type, frame }) => [type, frame])).toEqual([
        ['rectangle', 0],
        ['rectangle', 0],
      ]);
      expect(tags).toEqual([]);
      expect(await labelNames()).toEqual(['person']);
      await expect
        .poll(() => page.getByRole('button', { name: 'Rectangle', exact: true }).getAttribute('aria-pressed'))
        .toBe('true');
    },
  ],
  [
    '`F` and `D` go to the next and the previous photo. The top bar shows *Saved* when an edit is on disk.',
    async () => {
      await page.keyboard.press('f');
      await waitFrame(page, 1, 4);
      await page.keyboard.press('d');
      await waitFrame(page, 0, 4);
    },
  ],
  [
    '⋯ → Export: choose a format, with or without the images. The dialog lists what the format cannot carry.',
    async () => {
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Export' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  ],
];

describe('the first five minutes of the README, word for word', () => {
  it('has these steps', () => {
    const text = readFileSync(join(repository, 'README.md'), 'utf8');
    const section = /## The first five minutes\n([^]*?)\n## /.exec(text)?.[1] ?? '';
    const written = [...section.matchAll(/^\d+\. (.*)$/gm)].map(([, step]) => step);
    expect(written).toEqual(steps.map(([sentence]) => sentence));
  });

  it.each(steps)('%s', (_sentence, play) => play());
});

describe('a drawing without a label', () => {
  it('is shown beside its question, applies to further ones of its kind, and is discarded with Escape', async () => {
    await openTask();
    await page.keyboard.press('w');
    await drag(page, [0.1, 0.2], [0.2, 0.3]);
    await question().waitFor();
    const requested = await question().boundingBox();
    const canvas = await page.getByTestId('canvas').boundingBox();
    expect((requested?.x ?? 0) - (canvas?.x ?? 0)).toBeGreaterThan(0.2 * (canvas?.width ?? 0));
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await drag(page, [0.1, 0.2], [0.2, 0.3]);
    await drag(page, [0.1, 0.6], [0.2, 0.7]);
    await page.keyboard.type('bird');
    await page.keyboard.press('Enter');
    await question().waitFor({ state: 'detached' });
    await waitSaved(page);
    expect((await stored()).shapes).toHaveLength(2);
    expect(await labelNames()).toEqual(['bird']);
  });

  it('waits on its frame while another one is shown', async () => {
    await openTask();
    await page.keyboard.press('w');
    await drag(page, [0.1, 0.2], [0.2, 0.3]);
    await question().waitFor();
    await page.getByRole('button', { name: 'Next frame' }).click();
    await waitFrame(page, 1, 4);
    await question().fill('tree');
    await page.keyboard.press('Enter');
    await question().waitFor({ state: 'detached' });
    await waitSaved(page);
    expect((await stored()).shapes.map(({ frame }) => frame)).toEqual([0]);
  });

  it('is not lost while the label is being saved', async () => {
    await openTask();
    const task = taskOf(workbench);
    let resume = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      resume = resolve;
    });
    await page.route(`**/api/tasks/${task}`, async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    await page.keyboard.press('0');
    await page.keyboard.type('lamp');
    await page.keyboard.press('Enter');
    await page.keyboard.press('w');
    await drag(page, [0.2, 0.2], [0.4, 0.5]);
    resume();
    await page.getByTestId('object').waitFor();
    await drag(page, [0.5, 0.2], [0.7, 0.5]);
    await waitSaved(page);
    await page.unroute(`**/api/tasks/${task}`);
    expect((await stored()).shapes).toHaveLength(2);
    expect(await labelNames()).toEqual(['lamp']);
  });
});

describe('labels for one kind of shape', () => {
  it('are never used for another: keys refuse or select their own tool', async () => {
    const attributes = [{ name: 'note', input_type: 'text' as const, mutable: false, default_value: '', values: [] }];
    const task = await service.makeTask('kinds', {
      labels: [
        { name: 'thing', attributes },
        { name: 'outline', type: 'polygon' },
        { name: 'blob', type: 'tag' },
        { name: 'other', attributes },
      ],
    });
    const [job] = await service.jobsOf(task);
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, 2);
    const chip = (name: string) =>
      page.getByRole('toolbar', { name: 'Label for new shapes' }).getByRole('button', { name, pressed: true });

    await page.keyboard.press('w');
    await chip('thing').waitFor();
    await page.keyboard.press('3');
    await page.getByText('The label “blob” is for tag only').waitFor();
    await chip('thing').waitFor();
    await drag(page, [0.2, 0.2], [0.4, 0.5]);
    await page.keyboard.press('2');
    await chip('outline').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Polygon', exact: true }).getAttribute('aria-pressed'))
      .toBe('true');

    await page.keyboard.press('w');
    await page.keyboard.press('1');
    await drag(page, [0.5, 0.5], [0.7, 0.7]);
    await page.keyboard.press('s');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+2');
    await page.getByText('The label “outline” is for polygon only').waitFor();
    await page.getByRole('textbox', { name: 'note' }).fill('precious');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+4');
    await waitSaved(page);
    const { shapes } = await stored();
    const other = (await service.labels(task)).find(({ name }) => name === 'other')?.id;
    expect(shapes.map(({ label_id, attributes: [note] }) => [label_id, note?.value])).toEqual([
      [other, 'precious'],
      [other, 'precious'],
    ]);
  });

  it("keep the label field's width, however many and long they are", async () => {
    const long = 'a label with a name that is as long as a name of a label may be';
    const labels = [long, ...Array.from({ length: 60 }, (_, index) => `label number ${index}`)];
    const task = await service.makeTask('many', { labels: labels.map((name) => ({ name })) });
    const [job] = await service.jobsOf(task);
    await page.goto(`/tasks/${task}/jobs/${job}`);
    await waitFrame(page, 0, 2);
    const bar = page.getByRole('toolbar', { name: 'Label for new shapes' });
    const field = bar.getByRole('textbox');
    expect((await field.boundingBox())?.width).toBe(176);
    await field.fill('label number 47');
    await page.keyboard.press('Enter');
    const active = bar.getByRole('button', { pressed: true });
    await active.waitFor();
    const box = await active.boundingBox();
    const whole = await bar.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((whole?.x ?? 0) + (whole?.width ?? 0));
    await bar.getByRole('button', { name: /more labels/ }).click();
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
