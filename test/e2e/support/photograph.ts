import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const looks = [
  [1280, 800, 'light'],
  [1280, 800, 'dark'],
  [1920, 1080, 'light'],
  [1920, 1080, 'dark'],
  [800, 600, 'light'],
] as const;

/** Pictures of what is on screen at three sizes and in both themes, for those who name a folder in `LIMNER_PICTURES`. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env['LIMNER_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const [width, height, colorScheme] of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** One picture of what is on screen, for the same people. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['LIMNER_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.png`) });
}
