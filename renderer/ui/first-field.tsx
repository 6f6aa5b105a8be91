import { useLayoutEffect, useRef, type ReactNode } from 'react';

const fields = 'input:not([type="hidden"], [type="file"]), textarea, [contenteditable="true"]';

/** A search field that opens its list on focus would cover the rest of the dialog. */
const opensByItself = (field: Element): boolean =>
  field.getAttribute('aria-haspopup') === 'listbox' && !field.hasAttribute('readonly');

function firstField(body: HTMLElement): HTMLElement | null {
  const preferred = body.querySelector<HTMLElement>('[data-autofocus]');
  if (preferred !== null) return preferred;
  const found = [...body.querySelectorAll<HTMLElement>(fields)].find(
    (field) => !field.matches(':disabled') && field.getClientRects().length > 0 && !opensByItself(field),
  );
  if (!(found instanceof HTMLInputElement) || found.type !== 'radio' || found.checked) return found ?? null;
  const chosen = [...body.querySelectorAll<HTMLInputElement>('input[type="radio"]')].find(
    (radio) => radio.name === found.name && radio.checked,
  );
  return chosen ?? found;
}

const typed = ['text', 'number', 'search', 'email', 'url'];

function enter(field: HTMLElement): void {
  field.focus();
  if (field instanceof HTMLInputElement && typed.includes(field.type)) field.select();
}

/**
 * Focuses the first field of a dialog instead of its close button, also one that loads later. At once, because the user
 * may type as soon as the dialog is there.
 */
export const FirstField = ({ children }: { readonly children: ReactNode }) => {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const host = body.current;
    const dialog = host?.closest<HTMLElement>('[role="dialog"]');
    if (!host || !dialog) return undefined;
    const observer = new MutationObserver(() => begin());
    const begin = (): void => {
      const field = firstField(host);
      if (field === null) return;
      observer.disconnect();
      // Mantine looks for this mark later, and would choose the close button otherwise.
      field.setAttribute('data-autofocus', 'true');
      // Outside of the body there are only the close button and the opener, so the user has not begun.
      if (!host.contains(document.activeElement)) enter(field);
    };
    observer.observe(host, { childList: true, subtree: true });
    begin();
    const stop = (): void => observer.disconnect();
    dialog.addEventListener('pointerdown', stop, { once: true });
    return () => {
      observer.disconnect();
      dialog.removeEventListener('pointerdown', stop);
    };
  }, []);
  return (
    <div ref={body} style={{ display: 'contents' }}>
      {children}
    </div>
  );
};
