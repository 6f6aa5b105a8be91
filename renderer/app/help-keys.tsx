import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useHelp } from '../shared/commands.ts';
import { helpPageOf, useOpenHelp } from '../shared/help/find-help.ts';

/** Leaving a dialog would lose what was entered there. */
const isInDialog = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('[role="dialog"]') !== null;
const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** `?` opens the Help page of the screen, F1 the first page, Shift+F1 the list of keys. */
export function HelpKeys() {
  const openHelp = useOpenHelp();
  const address = useLocation({ select: (location) => location.pathname });
  const onKey = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    if (event.defaultPrevented || ctrlKey || altKey || metaKey) return;
    if (key === 'F1') {
      event.preventDefault();
      const { open, set } = useHelp.getState();
      if (shiftKey) set(!open);
      else if (!isInDialog(event)) openHelp();
    } else if (key === '?' && !isTyping(event) && !isInDialog(event)) {
      event.preventDefault();
      openHelp(helpPageOf(address));
    }
  };
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => latest.current(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return null;
}
