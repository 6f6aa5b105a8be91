/** Keys of the program. Help's own search closes by Escape before Escape leaves Help. */
const isProgramKey = ({ key, ctrlKey, metaKey }: KeyboardEvent, isSearching: boolean): boolean =>
  key === 'F1' || (key === 'Escape' && !isSearching) || (key.toLowerCase() === 'k' && (ctrlKey || metaKey));

/** Passes the program's keys to its window, which does not see those of a focused frame. */
export function passKeys(help: Window): void {
  const onKey = (event: KeyboardEvent): void => {
    const isSearching = help.document.querySelector('.VPLocalSearchBox') !== null;
    if (!isProgramKey(event, isSearching)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { key, code, shiftKey, ctrlKey, metaKey } = event;
    const init = { key, code, shiftKey, ctrlKey, metaKey, bubbles: true, cancelable: true };
    document.documentElement.dispatchEvent(new KeyboardEvent('keydown', init));
  };
  help.addEventListener('keydown', onKey, { capture: true });
}

const firstPage = /^\/help\/(index\.html)?$/;

/** Reports the title of the open page, now and whenever the reader follows a link. The first page has none. */
export function observeTitle(page: Document, onTitle: (title: string) => void): void {
  const report = (): void => {
    const isFirst = firstPage.test(page.location.pathname);
    onTitle(isFirst ? '' : (page.title.split(' | ')[0] ?? ''));
  };
  report();
  new MutationObserver(report).observe(page.head, { childList: true, characterData: true, subtree: true });
}
