import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** What a page asked for and has not got yet. */
const pendingOf = new WeakMap<Page, Set<Request>>();

/** Follows from here on what a page asks for; before `settled`, and before the page goes where it is to settle. */
export function followRequests(page: Page): void {
  if (pendingOf.has(page)) return;
  const pending = new Set<Request>();
  pendingOf.set(page, pending);
  page.on('request', (request) => {
    // Of what the page before it asked for nothing comes any more.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear();
    // News go on for as long as the page is open.
    if (request.resourceType() !== 'eventsource') pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
}

/** Once the page has done all that it has to do: what came in is shown, and asked for what it needs. */
const idle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const untilIdle = () => new Promise<unknown>((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
    await document.fonts.ready;
    for (let round = 0; round < 2; round += 1) {
      await untilIdle();
      await new Promise(requestAnimationFrame);
    }
    await untilIdle();
  });

/** A second time is what came in while one waited shown, too. */
const quietTimes = 2;

/**
 * Once a screen has its heading, its fonts and everything that it asked for. Half a second of silence would say the
 * same, but takes half a second, and far longer where a screen looks for news every half second.
 */
export async function settled(page: Page): Promise<void> {
  const pending = pendingOf.get(page);
  if (pending === undefined) throw new Error('What this page asks for is not followed.');
  await page.locator('h1').first().waitFor({ state: 'attached' });
  let quiet = 0;
  await expect
    .poll(async () => {
      // Not asked meanwhile: each answer would cost the page a picture of what is half there.
      if (pending.size === 0) await idle(page);
      quiet = pending.size === 0 ? quiet + 1 : 0;
      return quiet;
    })
    .toBe(quietTimes);
}
