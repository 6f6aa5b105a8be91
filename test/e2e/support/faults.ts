import type { Page } from 'playwright-core';
import { misplaced } from './misplaced.ts';

/** Elements whose text is cut at their edge without a sign of it, or without the whole text in a tooltip. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#content *, [role="dialog"] *')]
      .filter((one) => {
        const own = [...one.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '');
        const style = getComputedStyle(one);
        const isHidden = style.clip !== 'auto' || one.closest('[aria-hidden]') !== null;
        if (!own || isHidden || one instanceof HTMLInputElement) return false;
        if (style.overflowX === 'visible' || style.overflowX === 'auto' || style.overflowX === 'scroll') return false;
        if (one.scrollWidth <= one.clientWidth) return false;
        return style.textOverflow !== 'ellipsis' || one.closest('[title]') === null;
      })
      .map((one) => `cut: ${one.tagName}.${one.className}: ${one.textContent}`),
  );

/** Parts that stick out of the window, or of the dialog that they are in. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('#content, #content > *, [role="dialog"]')]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => `wider than its place: ${one.tagName} ${one.id}`),
  );

/** Below so much of a window nothing is left of its left edge but icons; above it words stand beside them. */
const leftEdge = (width: number): number => (width < 1000 ? 72 : width < 1600 ? 96 : 248);

/** Where the title stands, and what is lit in the rail: the same on every screen that has a rail. */
async function offGrid(page: Page, width: number): Promise<string[]> {
  const rail = page.locator('nav[aria-label] [data-active]');
  if ((await page.locator('#content').count()) === 0) return [];
  const box = await page.locator('#content h1').first().boundingBox();
  const found = box?.x === leftEdge(width) && box.y === 34 ? [] : [`the title stands at ${box?.x}, ${box?.y}`];
  const isKnown = !page.url().endsWith('/nowhere');
  return isKnown && (await rail.count()) === 0 ? [...found, 'nothing is lit in the rail'] : found;
}

/** What is wrong with what is on screen: its place, its edges, its texts. */
export async function layoutFaults(page: Page, width: number): Promise<string[]> {
  return [
    ...(await misplaced(page)),
    ...(await cutTexts(page)),
    ...(await tooWide(page)),
    ...(await offGrid(page, width)),
  ];
}

/** More stops than any screen has. */
const mostStops = 600;

/** So many go out at once at most: each by itself would be waited for longer than it takes. */
const pressesAtOnce = 20;
/** And so many past all that seems to be there. */
const pressesBeyond = 4;

const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/**
 * Goes through all that Tab reaches: each stop has a name and is seen, and one gets out again.
 * @param fromFirst begins at the first control, not at the page: there Tab may have another meaning. No control is skipped
 */
export async function keyboardFaults(page: Page, fromFirst = false): Promise<string[]> {
  if (fromFirst) await page.locator(tabbable).filter({ visible: true }).first().focus();
  const skips = fromFirst ? tabbable : null;
  await page.evaluate((isKept) => {
    if (!isKept && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    delete document.documentElement.dataset['stops'];
    for (const one of document.querySelectorAll('[data-stop]')) one.removeAttribute('data-stop');
    const leave = new AbortController();
    const note = ({ target: one }: Event): void => {
      if (!(one instanceof HTMLElement || one instanceof SVGElement)) return;
      const box = one.getBoundingClientRect();
      const isSeen = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
      if (one.dataset['stop'] === undefined) one.dataset['stop'] = isSeen ? 'seen' : 'unseen';
      else {
        // Round once.
        document.documentElement.dataset['stops'] = 'all';
        leave.abort();
      }
    };
    if (isKept && document.activeElement instanceof HTMLElement) document.activeElement.dataset['stop'] = 'seen';
    document.addEventListener('focusin', note, { signal: leave.signal });
  }, fromFirst);
  let before = -1;
  const likely = await page.locator(tabbable).filter({ visible: true }).count();
  for (let pressed = 0, perRound = 0; ; pressed += perRound) {
    if (pressed > mostStops) return [`Tab does not come to an end within ${mostStops} stops`];
    // Behind the last control there is the page again.
    perRound = fromFirst ? 1 : Math.min(pressesAtOnce, Math.max(pressesBeyond, likely + 2 - pressed));
    await Promise.all(Array.from({ length: perRound }, () => page.keyboard.press('Tab')));
    const isRound = await page.evaluate(
      (endsAtPage) =>
        document.documentElement.dataset['stops'] === 'all' || (endsAtPage && document.activeElement === document.body),
      fromFirst,
    );
    const stops = await page.locator('[data-stop]').count();
    // Where there is one stop alone, coming back to it is no event.
    if (isRound || stops === before) break;
    before = stops;
  }
  return page.evaluate((wanted) => {
    // Names as the standard reads them; axe is on the page since it judged it.
    const { axe } = window as unknown as {
      axe: { setup(): void; teardown(): void; commons: { text: { accessibleText(one: Element): string } } };
    };
    axe.setup();
    const found = [...document.querySelectorAll<HTMLElement>('[data-stop]')].flatMap((one) => {
      const html = one.outerHTML.slice(0, 120);
      const unseen = one.dataset['stop'] === 'unseen' ? [`a stop out of sight: ${html}`] : [];
      return axe.commons.text.accessibleText(one).trim() === ''
        ? [...unseen, `a stop without a name: ${html}`]
        : unseen;
    });
    axe.teardown();
    // Of a group of choices one is a stop.
    const skipped = [...(wanted === null ? [] : document.querySelectorAll<HTMLElement>(wanted))].filter(
      (one) =>
        one.tabIndex >= 0 &&
        one.checkVisibility({ visibilityProperty: true }) &&
        one.dataset['stop'] === undefined &&
        !(one instanceof HTMLInputElement && one.type === 'radio'),
    );
    return [...found, ...skipped.map((one) => `Tab skips: ${one.outerHTML.slice(0, 120)}`)];
  }, skips);
}
