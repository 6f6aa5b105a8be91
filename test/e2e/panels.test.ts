import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../preload/contract/schema/review.ts';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { canvasBox, clickPlaces, drag } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

const count = 4;
const { page, service, folder } = await useWorkbench();
const task = await service.makeTask('yard', {
  images: count,
  labels: [
    {
      name: 'car',
      type: 'any',
      attributes: [
        { name: 'age', mutable: false, input_type: 'number', default_value: '5', values: ['0', '10', '1'] },
        { name: 'share', mutable: false, input_type: 'number', default_value: '0', values: ['0', '1', '0.1'] },
      ],
    },
    { name: 'sign', type: 'any' },
    { name: 'cone', type: 'any' },
  ],
});
const [job = 0] = await service.jobsOf(task);
const [car, sign, cone] = (await service.labels(task)).map(({ id }) => id);
const shape = (label_id: number, points: number[]) => ({ type: 'rectangle' as const, frame: 0, label_id, points });
await service.changeAnnotations('jobs', job, 'create', {
  shapes: [shape(car!, [200, 150, 260, 210]), shape(sign!, [300, 150, 360, 210])],
});
const open = async (query = ''): Promise<void> => {
  await page.goto(`/tasks/${task}/jobs/${job}${query}`);
  await waitFrame(page, 0, count);
};
await open();
let videoPath: string | undefined;
async function videoJob(): Promise<string> {
  if (videoPath !== undefined) return videoPath;
  const file = join(folder, 'street.mp4');
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25', '-frames:v', '30', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, file]);
  const { id } = await service.createTask({ name: 'A street with a long name', labels: [{ name: 'car' }] });
  await service.finished(await service.useServerFiles(id, [file]));
  const [of = 0] = await service.jobsOf(id);
  return (videoPath = `/tasks/${id}/jobs/${of}`);
}
const row = (name: string) => page.getByTestId('object').filter({ hasText: name });
const stored = async () => {
  await waitSaved(page);
  return (await service.annotations('jobs', job)).shapes;
};
const issues = async () => (await service.ask<{ results: Issue[] }>('GET', `/api/issues?job_id=${job}`)).results;
const menuItem = (name: string | RegExp) => page.getByRole('menuitem', { name });

describe('the menu of an object', () => {
  it('has the actions of keys and card, and closes with Escape', async () => {
    await row('car').getByTestId('object-id').click({ button: 'right' });
    await page
      .getByRole('menu', { name: 'car 1' })
      .or(page.getByText('car 1', { exact: true }))
      .first()
      .waitFor();
    await page.getByRole('menuitemcheckbox', { name: 'Occluded' }).click();
    await expect.poll(async () => (await stored())[0]?.occluded).toBe(true);
    await row('car').getByTestId('object-id').click({ button: 'right' });
    await page.getByRole('menuitemcheckbox', { name: 'Occluded', checked: true }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  });

  it('sets a label, by pointer or by keys', async () => {
    await row('sign').getByTestId('object-id').click({ button: 'right' });
    await menuItem('Label').hover();
    await menuItem(/^cone/).click();
    await expect.poll(async () => (await stored())[1]?.label_id).toBe(cone);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored())[1]?.label_id).toBe(sign);
  });

  it('deletes all selected objects, and shows their number', async () => {
    await row('car').click();
    await row('sign').click({ modifiers: ['Control'] });
    await row('sign').getByTestId('object-id').click({ button: 'right' });
    await menuItem('Delete 2 objects').click();
    await expect.poll(stored).toEqual([]);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored()).length).toBe(2);
  });

  it('says why a locked object cannot be changed', async () => {
    await row('car').click();
    await page.keyboard.press('l');
    await row('car').getByTestId('object-id').click({ button: 'right' });
    expect(await menuItem('Delete object').getAttribute('data-disabled')).toBe('true');
    expect(await menuItem('Delete object').getAttribute('title')).toBe('Unlock to change');
    await menuItem(/^Unlock/)
      .last()
      .click();
    await expect.poll(() => row('car').getByRole('button', { name: 'Lock', exact: true }).count()).toBe(1);
  });

  it('is that of the frame where no object is', async () => {
    await page.keyboard.press('Escape');
    await clickPlaces(page, [[0.9, 0.9]], 'right');
    await page.getByText('Frame 0', { exact: true }).waitFor();
    await menuItem('Select all').click();
    await expect.poll(() => page.locator('[data-testid="object"][data-selected]').count()).toBe(2);
    await page.keyboard.press('Escape');
  });
});

describe('a number attribute', () => {
  const field = (name: string) => row('car').getByRole('textbox', { name });

  it('saves the typed number, or says why not', async () => {
    await row('car').click();
    const values = async () =>
      (await stored()).find(({ label_id }) => label_id === car)?.attributes.map(({ value }) => value);
    const before = await values();
    for (const [name, typed, why] of [
      ['age', '15', 'Enter a number from 0 to 10.'],
      ['age', '2.5', 'Enter a multiple of 1 starting at 0.'],
      ['share', '0.35', 'Enter a multiple of 0.1 starting at 0.'],
    ] as const) {
      await field(name).fill(typed);
      await page.keyboard.press('Enter');
      await row('car').getByText(why).waitFor();
      expect(await field(name).inputValue()).toBe(typed);
      expect(await values()).toEqual(before);
      await field(name).fill('');
      await page.keyboard.press('Enter');
    }
    await field('age').fill('7');
    await page.keyboard.press('Enter');
    await field('share').fill('0.4');
    await page.keyboard.press('Enter');
    await expect.poll(values).toEqual(['7', '0.4']);
  });
});

describe('a dialog', () => {
  it('focuses its first field: a number and Enter copy to other frames', async () => {
    await row('car').click();
    await page.keyboard.press('Control+b');
    await page.getByRole('dialog', { name: 'Copy to other frames' }).waitFor();
    await expect
      .poll(() =>
        page.evaluate(() => document.activeElement?.closest('[role="dialog"] label, [role="dialog"]') !== null),
      )
      .toBe(true);
    await expect
      .poll(() => page.getByRole('textbox', { name: 'To frame' }).evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(async () => (await stored()).filter(({ frame }) => frame === 1).length).toBe(1);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await stored()).length).toBe(2);
  });
});

describe('an object that was just drawn', () => {
  it('has its id from the service in the list as soon as it is saved', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rectangle', exact: true }).click();
    await drag(page, [0.1, 0.1], [0.2, 0.2]);
    await expect.poll(() => page.getByTestId('object').count()).toBe(3);
    await waitSaved(page);
    const ids = (await stored()).map(({ id }) => String(id)).toSorted();
    await expect.poll(async () => (await page.getByTestId('object-id').allTextContents()).toSorted()).toEqual(ids);
    await page.keyboard.press('Escape');
  });
});

describe('a new issue', () => {
  it('appears at its position at once, with the marked region', async () => {
    await open('?mode=review');
    await page.getByRole('button', { name: 'New issue' }).click();
    await drag(page, [0.45, 0.4], [0.55, 0.5]);
    const card = page.getByRole('region', { name: 'New issue' });
    await card.waitFor();
    const canvas = await canvasBox(page);
    const region = (await page.locator('[data-box][data-chosen]').boundingBox())!;
    expect(region.x).toBeCloseTo(canvas.x + canvas.width * 0.45, -1);
    expect(region.width).toBeCloseTo(canvas.width * 0.1, -1);
    expect((await card.boundingBox())!.x).toBeGreaterThan(region.x + region.width);
  });

  it("is not sent by the Enter that confirms an input method's conversion", async () => {
    const text = page.getByRole('textbox', { name: 'Description' });
    await text.focus();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'まちがい', selectionStart: 4, selectionEnd: 4 });
    await text.evaluate((field) => {
      const enter = { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: true, bubbles: true, cancelable: true };
      field.dispatchEvent(new KeyboardEvent('keydown', enter));
    });
    await devtools.send('Input.insertText', { text: '間違い' });
    expect(await issues()).toEqual([]);
    await expect.poll(() => text.inputValue()).toBe('間違い');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await issues()).length).toBe(1);
  });
});

/** Controls of the bars that another element covers, and the horizontal overflow of the page. */
async function crowding() {
  const covered = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'header button, header a, header input, [data-testid="filter"], [role="toolbar"] button, [role="tab"]',
      ),
    ]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .flatMap((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return [];
        const hit = document.elementFromPoint(x, y);
        const isSame = hit === null || element.contains(hit) || hit.contains(element);
        return isSame ? [] : [`${element.ariaLabel ?? element.textContent} under ${hit.ariaLabel ?? hit.textContent}`];
      }),
  );
  const [save, frames] = await Promise.all(
    ['save', 'frame'].map((part) =>
      page
        .locator(part === 'save' ? 'header [data-state]' : 'header nav')
        .first()
        .boundingBox(),
    ),
  );
  const overlap = (save?.x ?? 0) + (save?.width ?? 0) - (frames?.x ?? 0);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return { covered, overlaps: overlap > 0, overflows: overflow > 0 };
}
const uncrowded = { covered: [], overlaps: false, overflows: false };

describe('a small window', () => {
  const sizes = [
    [1100, 700],
    [1024, 700],
    [640, 400],
  ] as const;

  it.each(sizes)('of %i × %i has no overlapping bars, with images', async (width, height) => {
    await page.setViewportSize({ width, height });
    await open();
    await page.keyboard.press('Shift+1');
    await page.getByRole('toolbar', { name: 'Mask tools' }).waitFor();
    expect(await crowding()).toEqual(uncrowded);
  });

  it.each(sizes)('of %i × %i has no overlapping bars, with a video', async (width, height) => {
    await page.setViewportSize({ width, height });
    await page.goto(await videoJob());
    await page.getByTestId('play').waitFor();
    expect(await crowding()).toEqual(uncrowded);
  });
});

describe('a label that is deleted elsewhere', () => {
  it('is removed from the bar, and its drawings say why they are not saved', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open();
    const bar = page.getByRole('toolbar', { name: 'Label for new shapes' });
    await bar.getByRole('button', { name: 'cone' }).click();
    await service.good('PATCH', `/api/tasks/${task}`, { json: { labels: [{ id: cone, deleted: true }] } });
    await page.getByRole('button', { name: 'Rectangle', exact: true }).click();
    await drag(page, [0.7, 0.1], [0.8, 0.2]);
    await page.getByTestId('save-state').filter({ hasText: 'Not saved: 1 rejected' }).waitFor();
    await page.getByText('the service rejected 1 object').waitFor();
    await page
      .getByText(new RegExp(`label.*${cone}`, 'i'))
      .first()
      .waitFor();
    await bar.getByRole('button', { name: 'cone' }).waitFor({ state: 'detached' });
    await page.getByText('The label “cone” was deleted elsewhere').waitFor();
  });
});

describe('a pasted list of names', () => {
  it('creates one label per name', async () => {
    await page.goto(`/tasks/${task}`);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('tab', { name: 'Labels' }).click();
    const field = page.getByRole('textbox', { name: 'New label name' });
    await field.focus();
    await field.evaluate((input) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', 'bottle\r\nlamp\n\ncar\n');
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByText('1 pasted name already exists').waitFor();
    await page.getByRole('button', { name: 'Save', exact: false }).first().waitFor();
    await page
      .getByRole('button', { name: /^Save labels|^Save/ })
      .last()
      .click();
    await expect
      .poll(async () => (await service.labels(task)).map(({ name }) => name))
      .toEqual(['car', 'sign', 'bottle', 'lamp']);
  });
});
