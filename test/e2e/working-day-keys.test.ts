import { describe, expect, it } from 'vitest';
import { waitFrame, waitSaved } from './support/annotate-screen.ts';
import { useWorkbench } from './support/workbench.ts';

interface StoredShape {
  readonly type: string;
  readonly frame: number;
  readonly group: number;
  readonly points: readonly number[];
}

const count = 4;
const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const times = (key: string, number: number): string[] => Array.from({ length: number }, () => key);
const stored = async (): Promise<readonly StoredShape[]> => {
  await waitSaved(page);
  return (await service.ask<{ shapes: readonly StoredShape[] }>('GET', `/api/jobs/${job}/annotations/`)).shapes;
};
/** As somebody does who knows a word of its name. */
const command = async (words: string): Promise<void> => {
  await press('Control+k');
  await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]') != null);
  await press('Control+a');
  await page.keyboard.type(words);
  await press('Enter');
};
/** Backwards by Tab, since it stands at the end, as far as the button, and Enter. */
const activate = async (name: string): Promise<void> => {
  const button = page.getByRole('dialog').getByRole('button', { name, exact: true });
  await button.waitFor();
  for (let stop = 0; stop < 60; stop += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) return press('Enter');
    await press('Shift+Tab');
  }
  throw new Error(`Tab does not lead to ${name}.`);
};

const { page, service } = await useWorkbench();
const task = await service.makeTask('quay', { images: count, labels: [{ name: 'crate' }] });
const job = (await service.jobsOf(task))[0] ?? 0;
await page.goto(`/tasks/${task}/jobs/${job}?frame=0`);
await waitFrame(page, 0, count);

describe('a working day without a pointer', () => {
  it('has boxes placed one after the other, each pushed to where it belongs and made larger', async () => {
    await press('1', 'w');
    for (let box = 0; box < 10; box += 1) {
      await press('Enter', ...times('Shift+ArrowLeft', 5 - box), ...times('Shift+ArrowRight', box - 5));
      await press('Alt+ArrowRight', 'Shift+ArrowUp');
    }
    const shapes = await stored();
    expect(shapes).toHaveLength(10);
    expect(new Set(shapes.map(({ points }) => points[0])).size).toBe(10);
    await press('Escape', 'Control+a', 'Delete');
    await expect.poll(async () => (await stored()).length).toBe(0);
  });

  it('has a polygon corrected: a point moved, one added, one deleted', async () => {
    await press('Shift+P', 'Enter', 'Enter', ...times('Shift+ArrowRight', 9), 'Enter');
    await press(...times('Shift+ArrowDown', 9), 'Enter', 'n', 'Escape');
    const [before] = await stored();
    expect(before?.points).toHaveLength(6);
    await press('Tab', 'Period', 'Period', 'ArrowRight', 'ArrowRight', 'Insert', 'ArrowDown');
    const [corrected] = await stored();
    expect(corrected?.points).toHaveLength(8);
    expect(corrected?.points.slice(0, 2)).toEqual(before?.points.slice(0, 2));
    expect((corrected?.points[2] ?? 0) - (before?.points[2] ?? 0)).toBeCloseTo(2, 3);
    await press('Delete');
    await expect.poll(async () => (await stored())[0]?.points.length).toBe(6);
    // First from the point to the whole shape, then from the shape.
    await press('Escape', 'Delete');
    await expect.poll(async () => (await stored()).length).toBe(0);
  });

  it('has objects grouped, copied to the next frame, and given to all that follow', async () => {
    // The cursor is where the keys have left it: two corners each.
    await press('w', 'Enter', ...times('Shift+ArrowLeft', 4), ...times('Shift+ArrowUp', 4), 'Enter');
    await press('Enter', ...times('Shift+ArrowLeft', 4), ...times('Shift+ArrowUp', 4), 'Enter');
    await press('Escape', 'Control+a', 'g');
    await expect.poll(async () => (await stored()).map(({ group }) => group)).toEqual([1, 1]);
    await press('Control+c', 'f');
    await waitFrame(page, 1, count);
    await press('Control+v');
    await expect.poll(async () => (await stored()).filter(({ frame }) => frame === 1).length).toBe(2);
    await press('Control+b');
    await activate('Copy');
    await expect.poll(async () => (await stored()).filter(({ frame }) => frame > 1).length).toBeGreaterThan(0);
  });

  it('has a frame left out and taken back', async () => {
    const isLeftOut = async () =>
      (await service.ask<{ deleted_frames: number[] }>('GET', `/api/jobs/${job}/data/meta`)).deleted_frames;
    await press('Alt+Delete');
    await expect.poll(isLeftOut).toEqual([1]);
    await press('Control+g');
    await page.keyboard.type('1');
    await press('Enter');
    await waitFrame(page, 1, count);
    await press('Alt+Delete');
    await expect.poll(isLeftOut).toEqual([]);
  });

  it('has the statistics looked at and the work exported, by the words of the commands', async () => {
    await command('Statistics');
    await page
      .getByRole('dialog', { name: /Statistics/ })
      .getByText('crate')
      .first()
      .waitFor();
    await press('Escape');
    await command('Export');
    await activate('Export');
    await page
      .getByRole('dialog', { name: /Export/ })
      .getByText(/written|left out|carried/i)
      .first()
      .waitFor();
  });
});
