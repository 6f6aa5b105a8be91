import type { Page } from 'playwright-core';

/** Elements outside of the window, and overlapping parts of a bar. */
export const misplaced = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll('header > *, footer > *, nav > *, [role="toolbar"] > *')].map(
      (element) => ({
        element,
        box: element.getBoundingClientRect(),
      }),
    );
    const shown = boxes.filter(({ box }) => box.width > 0 && box.height > 0);
    const nameOf = (element: Element): string =>
      `<${element.tagName.toLowerCase()} ${element.textContent.slice(0, 30)}>`;
    const outside = shown
      .filter(({ box }) => box.right > window.innerWidth + 1 || box.left < -1)
      .map(({ element }) => `outside: ${nameOf(element)}`);
    const overlapping = shown.flatMap((one, index) =>
      shown
        .slice(index + 1)
        .filter(({ element, box }) => {
          if (element.parentElement !== one.element.parentElement) return false;
          const across = Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left);
          const down = Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top);
          return across > 1 && down > 1;
        })
        .map(({ element }) => `overlap: ${nameOf(one.element)} ${nameOf(element)}`),
    );
    const scrolls = document.documentElement.scrollWidth > window.innerWidth ? ['the page scrolls sideways'] : [];
    return [...outside, ...overlapping, ...scrolls];
  });
