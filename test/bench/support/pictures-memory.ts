import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { memoryByRole } from './side-by-side/processes.ts';
import { inMegabytes } from './statistics.ts';
import { printNote, printTable } from './table.ts';

const roles = ['service', 'browser', 'network', 'gpu-process', 'renderer'] as const;
const readingMs = 1000;
const bar = 40;

interface Walk {
  readonly steps: number;
  readonly sampleEvery: number;
}

/** One photo a second: a minute, or an hour with `--long`. */
export const walkOf = (long: boolean): Walk =>
  long ? { steps: 3600, sampleEvery: 120 } : { steps: 60, sampleEvery: 10 };

/** The photos under more names, so that a walk does not return to frames that are in memory. */
export async function withMoreNames(folder: string, photos: readonly string[], count: number): Promise<string[]> {
  await mkdir(folder);
  const files = Array.from({ length: count }, (_, index) =>
    join(folder, `photo-${String(index).padStart(4, '0')}.jpg`),
  );
  for (const [index, file] of files.entries()) await link(photos[index % photos.length] ?? '', file);
  return files;
}

/** Steps to the last frame and back, and prints the memory of the service and of Chromium's processes. */
export async function printMemory(page: Page, frames: number, { steps, sampleEvery }: Walk): Promise<void> {
  const samples = [{ step: 0, sizes: memoryByRole() }];
  let [frame, direction] = [0, 1];
  for (let step = 1; step <= steps; step += 1) {
    if (frame + direction < 0 || frame + direction >= frames) direction = -direction;
    frame += direction;
    await page.keyboard.press(direction > 0 ? 'f' : 'd');
    await page.locator(`[data-testid="frame-shown"][data-frame="${frame}"][data-picture="ready"]`).waitFor({
      state: 'attached',
    });
    await page.waitForTimeout(readingMs);
    if (step % sampleEvery === 0) samples.push({ step, sizes: memoryByRole() });
  }
  const total = (sizes: ReadonlyMap<string, number>): number => [...sizes.values()].reduce((sum, one) => sum + one, 0);
  const most = Math.max(...samples.map(({ sizes }) => total(sizes)));
  printTable(
    'Memory while stepping through photos of 12 megapixels (PSS)',
    ['step', ...roles, 'all', ''],
    samples.map(({ step, sizes }) => [
      String(step),
      ...roles.map((role) => inMegabytes(sizes.get(role) ?? 0)),
      inMegabytes(total(sizes)),
      '█'.repeat(Math.round((total(sizes) / most) * bar)),
    ]),
  );
  printNote('One photo a second. `all` has the other processes of Chromium, too. The last column is a plot of it.');
}
