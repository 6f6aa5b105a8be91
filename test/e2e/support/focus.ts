import type { Page } from 'playwright-core';

/** Placeholder or label of the field that has the focus at the moment a dialog appears, before any later task runs. */
export const focusWhenShown = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector('[role="dialog"]') === null) return;
          observer.disconnect();
          const field = document.activeElement;
          resolve(field instanceof HTMLInputElement ? field.placeholder || (field.labels?.[0]?.innerText ?? '') : '');
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
  );
