import type { Page } from 'playwright-core';
import { misplaced } from './misplaced.ts';

/** Elements with clipped text that has no ellipsis, or no tooltip with the full text. */
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

const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('#content, #content > *, [role="dialog"]')]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => `wider than its place: ${one.tagName} ${one.id}`),
  );

const leftEdge = (width: number): number => (width < 1000 ? 72 : width < 1600 ? 96 : 248);

/** Checks the position of the title and the active item of the rail, which are the same on every screen with a rail. */
async function offGrid(page: Page, width: number): Promise<string[]> {
  const rail = page.locator('nav[aria-label] [data-active]');
  if ((await page.locator('#content').count()) === 0) return [];
  const box = await page.locator('#content h1').first().boundingBox();
  const found = box?.x === leftEdge(width) && box.y === 34 ? [] : [`the title stands at ${box?.x}, ${box?.y}`];
  const isKnown = !page.url().endsWith('/nowhere');
  return isKnown && (await rail.count()) === 0 ? [...found, 'nothing is lit in the rail'] : found;
}

export async function layoutFaults(page: Page, width: number): Promise<string[]> {
  return [
    ...(await misplaced(page)),
    ...(await cutTexts(page)),
    ...(await tooWide(page)),
    ...(await offGrid(page, width)),
  ];
}

const mostStops = 600;

/** Number of key presses that are sent together; sending one at a time would be slower. */
const pressesAtOnce = 20;
const pressesBeyond = 4;

const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/**
 * Moves through all stops of Tab. Each stop must have a name and be visible, and focus must be able to leave it.
 * @param fromFirst begins at the first control, not at the page, where Tab may have another meaning. No control is
 * skipped
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
    // After the last control, focus returns to the page.
    perRound = fromFirst ? 1 : Math.min(pressesAtOnce, Math.max(pressesBeyond, likely + 2 - pressed));
    await Promise.all(Array.from({ length: perRound }, () => page.keyboard.press('Tab')));
    const isRound = await page.evaluate(
      (endsAtPage) =>
        document.documentElement.dataset['stops'] === 'all' || (endsAtPage && document.activeElement === document.body),
      fromFirst,
    );
    const stops = await page.locator('[data-stop]').count();
    // With a single stop, returning to it causes no event.
    if (isRound || stops === before) break;
    before = stops;
  }
  return page.evaluate((wanted) => {
    // Names according to the standard. axe is on the page from the earlier check.
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
    // A group of radio buttons has one stop.
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
