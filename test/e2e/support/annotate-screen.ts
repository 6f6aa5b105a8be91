import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { leaveCanvas } from './pointer.ts';

export interface FrameView {
  readonly objects: readonly string[];
  readonly tags: readonly string[];
  readonly picture: Buffer;
}

export const waitSaved = (page: Page): Promise<void> =>
  page.getByTestId('save-state').and(page.locator('[data-state="saved"]')).waitFor();

export async function waitFrame(page: Page, index: number, count: number): Promise<void> {
  await page.getByText(count === 1 ? '1 frame' : `${count.toLocaleString('en')} frames`, { exact: true }).waitFor();
  await page
    .locator(`[data-testid="frame-shown"][data-frame="${index}"]:not([data-picture="loading"])`)
    .waitFor({ state: 'attached' });
}

export async function goToFrame(page: Page, frame: number, count: number): Promise<void> {
  await page.getByRole('textbox', { name: 'Frame number' }).fill(String(frame));
  await page.keyboard.press('Enter');
  await waitFrame(page, frame, count);
}

export async function answerName(page: Page, name: string): Promise<void> {
  await page.getByTestId('naming').fill(name);
  await page.keyboard.press('Enter');
  await page.getByTestId('naming').waitFor({ state: 'detached' });
}

export async function typeLabel(page: Page, name: string): Promise<void> {
  await page.keyboard.press('0');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page
    .getByRole('toolbar', { name: 'Label for new shapes' })
    .getByRole('button', { name, pressed: true })
    .waitFor();
}

const settled = async (page: Page): Promise<Buffer> => {
  const canvas = page.getByTestId('canvas');
  let before = await canvas.screenshot();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await page.waitForTimeout(100);
    const now = await canvas.screenshot();
    if (now.equals(before)) return now;
    before = now;
  }
  throw new Error('The canvas does not come to rest.');
};

export async function viewFrames(page: Page, frames: readonly number[], count: number): Promise<FrameView[]> {
  const views: FrameView[] = [];
  for (const frame of frames) {
    await goToFrame(page, frame, count);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await leaveCanvas(page);
    const objects = await page.getByTestId('object').evaluateAll((rows) =>
      rows.map((row) => {
        // The service's id changes when an object is deleted and restored.
        const id = row.querySelector('[data-testid="object-id"]')?.textContent ?? '';
        return `${row.getAttribute('data-kind')} ${row.textContent?.slice(id.length)}`;
      }),
    );
    const tags = await page.getByRole('list', { name: 'Tags' }).getByRole('listitem').allTextContents();
    views.push({ objects: objects.toSorted(), tags, picture: await settled(page) });
  }
  return views;
}

export function expectSameViews(now: readonly FrameView[], before: readonly FrameView[]): void {
  expect(now.map(({ objects, tags }) => ({ objects, tags }))).toEqual(
    before.map(({ objects, tags }) => ({ objects, tags })),
  );
  expect(now.map(({ picture }, index) => picture.equals(before[index]?.picture ?? Buffer.alloc(0)))).toEqual(
    now.map(() => true),
  );
}
