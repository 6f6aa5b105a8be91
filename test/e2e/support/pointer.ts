import type { Page } from 'playwright-core';

export type Place = readonly [x: number, y: number];

/** Drops local files and folders on the window, like a file manager, after a screen is loaded. */
export async function dropFiles(
  page: Page,
  files: readonly string[],
  { at = { x: 640, y: 400 }, beforeDrop }: { at?: { x: number; y: number }; beforeDrop?: () => Promise<void> } = {},
): Promise<void> {
  await page.getByRole('heading').or(page.getByTestId('canvas')).first().waitFor();
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  await devtools.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at, data });
  await beforeDrop?.();
  for (const type of ['dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, ...at, data });
  }
  await devtools.detach();
}

export async function canvasBox(page: Page) {
  const box = await page.getByTestId('canvas').boundingBox();
  if (box === null) throw new Error('The canvas is not on the page.');
  return box;
}

/** Position of an image pixel, while the canvas shows the complete image with a margin of 16 pixels. */
export async function placeOf(
  page: Page,
  { width, height }: { readonly width: number; readonly height: number },
  [x, y]: readonly [number, number],
): Promise<Place> {
  const box = await canvasBox(page);
  const scale = Math.min((box.width - 32) / width, (box.height - 32) / height);
  return [0.5 + ((x - width / 2) * scale) / box.width, 0.5 + ((y - height / 2) * scale) / box.height];
}

const toPixels = async (page: Page, places: readonly Place[]): Promise<{ x: number; y: number }[]> => {
  const box = await canvasBox(page);
  return places.map(([x, y]) => ({ x: Math.round(box.x + x * box.width), y: Math.round(box.y + y * box.height) }));
};

export async function drag(page: Page, from: Place, to: Place): Promise<void> {
  const [start, end] = await toPixels(page, [from, to]);
  if (start === undefined || end === undefined) return;
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

export async function clickPlaces(
  page: Page,
  places: readonly Place[],
  button: 'left' | 'right' = 'left',
): Promise<void> {
  for (const { x, y } of await toPixels(page, places)) {
    await page.mouse.move(x, y);
    await page.mouse.click(x, y, { button });
  }
}

export const leaveCanvas = (page: Page): Promise<void> => page.mouse.move(4, 400);
