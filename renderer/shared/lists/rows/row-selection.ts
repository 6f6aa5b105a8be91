import { useEffect, useRef, useState } from 'react';

export interface Selectable {
  readonly id: number | string;
}

export interface Selection<Item extends Selectable> {
  readonly items: readonly Item[];
  readonly has: (item: Item) => boolean;
  /** With Shift, applies `isOn` to the range from the last toggled row. */
  readonly toggle: (item: Item, isOn: boolean) => void;
  readonly choose: (items: readonly Item[]) => void;
  readonly clear: () => void;
}

export function useSelection<Item extends Selectable>(shown: readonly Item[]): Selection<Item> {
  const [chosen, setChosen] = useState<ReadonlyMap<Item['id'], Item>>(new Map());
  const last = useRef<Item['id'] | null>(null);
  return {
    items: [...chosen.values()],
    has: ({ id }) => chosen.has(id),
    toggle(item, isOn) {
      const next = new Map(chosen);
      const from = isOn ? shown.findIndex(({ id }) => id === last.current) : -1;
      const to = shown.findIndex(({ id }) => id === item.id);
      if (from >= 0 && to >= 0) {
        for (const one of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) next.set(one.id, one);
      } else if (!next.delete(item.id)) next.set(item.id, item);
      last.current = item.id;
      setChosen(next);
    },
    choose: (items) => setChosen(new Map([...chosen, ...items.map((one) => [one.id, one] as const)])),
    clear() {
      last.current = null;
      setChosen(new Map());
    },
  };
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('textarea, select, [contenteditable], input:not([type="checkbox"])') !== null;

const isCovered = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')].some((one) =>
    one.checkVisibility(),
  );

export function useSelectionKeys(selectAll: () => void, clear: (() => void) | null): void {
  const now = useRef({ selectAll, clear });
  useEffect(() => {
    now.current = { selectAll, clear };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isWriting(event.target) || isCovered()) return;
      if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        now.current.selectAll();
      }
      if (event.key === 'Escape') now.current.clear?.();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
