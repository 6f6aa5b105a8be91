import { useEffect, useRef, type ReactNode } from 'react';

const fields = 'input:not([type="hidden"], [type="file"]), textarea, [contenteditable="true"]';

/** A search field that opens its list when it gets the focus would cover the rest of the dialog. */
const opensByItself = (field: Element): boolean =>
  field.getAttribute('aria-haspopup') === 'listbox' && !field.hasAttribute('readonly');

function firstField(body: HTMLElement): HTMLElement | null {
  const asked = body.querySelector<HTMLElement>('[data-autofocus]');
  if (asked !== null) return asked;
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

/** A dialog begins in its first field, not on its close button; one that loads its fields, as soon as they are there. */
export const FirstField = ({ children }: { readonly children: ReactNode }) => {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = body.current;
    const dialog = host?.closest<HTMLElement>('[role="dialog"]');
    if (!host || !dialog) return undefined;
    const isWaiting = (): boolean => {
      const { activeElement } = document;
      // Only the close button, or nothing yet, has the focus: the user has not begun. A drawing may have it, too.
      return activeElement === null || !host.contains(activeElement);
    };
    const observer = new MutationObserver(() => begin());
    const begin = (): void => {
      const field = firstField(host);
      if (field === null) return;
      observer.disconnect();
      if (isWaiting() || document.activeElement === field) enter(field);
    };
    // For the kit, which looks for this mark a moment later.
    firstField(host)?.setAttribute('data-autofocus', 'true');
    observer.observe(host, { childList: true, subtree: true });
    // After the kit's own choice, which is the close button where nothing else is marked.
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
