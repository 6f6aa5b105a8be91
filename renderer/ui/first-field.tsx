import { useEffect, useRef, type ReactNode } from 'react';

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

/** Focuses the first field of a dialog instead of its close button, also one that loads later. */
export const FirstField = ({ children }: { readonly children: ReactNode }) => {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = body.current;
    const dialog = host?.closest<HTMLElement>('[role="dialog"]');
    if (!host || !dialog) return undefined;
    const isWaiting = (): boolean => {
      const { activeElement } = document;
      // Only the close button, a drawing or nothing has the focus, so the user has not begun.
      return activeElement === null || !host.contains(activeElement);
    };
    const observer = new MutationObserver(() => begin());
    const begin = (): void => {
      const field = firstField(host);
      if (field === null) return;
      observer.disconnect();
      if (isWaiting() || document.activeElement === field) enter(field);
    };
    // Mantine looks for this mark later.
    firstField(host)?.setAttribute('data-autofocus', 'true');
    observer.observe(host, { childList: true, subtree: true });
    // After Mantine's choice, which is the close button by default.
    const timer = setTimeout(begin, 0);
    const stop = (): void => observer.disconnect();
    dialog.addEventListener('pointerdown', stop, { once: true });
    return () => {
      clearTimeout(timer);
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
