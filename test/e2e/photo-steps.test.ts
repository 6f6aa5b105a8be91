import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeLargePicture } from '../support/large-image.ts';
import { waitFrame } from './support/annotate-screen.ts';
import { canvasBox } from './support/pointer.ts';
import { useWorkbench } from './support/workbench.ts';

// Its halvings are not near the size in view: 1,400 pixels would be a third too many along a side.
const photo = { width: 2800, height: 2100 };
const count = 4;
const { page, service, folder } = await useWorkbench();
const files = Array.from({ length: count }, (_, index) => join(folder, `photo-${index}.jpg`));
for (const file of files) await writeLargePicture(file, photo);
const { id: task } = await service.createTask({ name: 'photos', labels: [{ name: 'thing' }] });
await service.finished(await service.useServerFiles(task, files));
const job = (await service.jobs(task))[0]?.id ?? 0;
await page.goto(`/tasks/${task}/jobs/${job}?frame=0`);
await waitFrame(page, 0, count);

const bitmapWidth = (): Promise<number> =>
  page.evaluate(() => document.querySelector<HTMLCanvasElement>('canvas[data-layer="image"]')?.width ?? 0);

/** Steps with a key, and returns the labels of the parts of the page that changed before the repaint. */
const changedByStep = (): Promise<{ frame: string | undefined; parts: readonly string[] }> =>
  page.evaluate(async () => {
    const all: MutationRecord[] = [];
    const observer = new MutationObserver((records) => void all.push(...records));
    observer.observe(document.body, { attributes: true, childList: true, characterData: true, subtree: true });
    window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyF', key: 'f' }));
    // Everything that the key changes without a new task is in this repaint.
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.addEventListener('message', resolve, { once: true });
      port1.start();
      port2.postMessage(null);
    });
    observer.disconnect();
    const parts = all.map(({ target }) => {
      const element = target instanceof Element ? target : target.parentElement;
      const part = element?.closest<HTMLElement>('[data-testid], [role="slider"]');
      return part?.dataset['testid'] ?? part?.role ?? '';
    });
    const shown = document.querySelector<HTMLElement>('[data-testid="frame-shown"]');
    return { frame: shown?.dataset['frame'], parts: [...new Set(parts)] };
  });

describe('a photo that is larger than the view', () => {
  it('is decoded at the size in view, and completely when zoomed in', async () => {
    const { width, height } = await canvasBox(page);
    const fitted = Math.min(width / photo.width, height / photo.height) * photo.width;
    await expect.poll(bitmapWidth).toBeLessThan(1.25 * fitted);
    expect(await bitmapWidth()).toBeGreaterThan(0.95 * fitted);
    await page.mouse.move(width / 2, height / 2);
    for (let notch = 0; notch < 12; notch += 1) await page.mouse.wheel(0, -120);
    await expect.poll(bitmapWidth).toBe(photo.width);
    await page.keyboard.press('0');
  });

  it('is on screen before the strip of frames and the slider follow', async () => {
    await page.goto(`/tasks/${task}/jobs/${job}?frame=1`);
    await waitFrame(page, 1, count);
    await page.keyboard.press('Alt+s');
    const strip = page.getByRole('listbox', { name: 'Frames of the job' });
    await strip.locator('[data-frame="1"][aria-selected="true"]').waitFor();
    const first = strip.locator('[data-frame="0"][aria-selected="true"]');
    let changed: Awaited<ReturnType<typeof changedByStep>> = { frame: undefined, parts: [] };
    // A frame that is not decoded yet is not shown by the key, so this repeats until it is.
    await expect
      .poll(async () => {
        await page.keyboard.press('d');
        await first.waitFor();
        changed = await changedByStep();
        return changed.frame;
      })
      .toBe('1');
    expect(changed.parts.filter((part) => part === 'frame-strip' || part === 'slider')).toEqual([]);
    await strip.locator('[data-frame="1"][aria-selected="true"]').waitFor();
    await expect.poll(() => page.getByRole('slider').first().getAttribute('aria-valuenow')).toBe('1');
  });
});
