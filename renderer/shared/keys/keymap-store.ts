import { create } from 'zustand';
import { formatShortcut, type Shortcut } from '../../canvas/shortcuts.ts';
import { text } from '../../i18n/index.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { readKept, writeKeymap, type Keymap } from './keymap.ts';

const storageKey = 'limner.keys';

interface KeymapStore {
  readonly keymap: Keymap;
  /** False if the keys could not be saved and apply only to this window. */
  readonly isKept: boolean;
  /** Characters on the keys of this keyboard; null if the browser does not provide them. */
  readonly layout: ReadonlyMap<string, string> | null;
  set(keymap: Keymap): void;
}

/** The user's keys, saved in this browser and synchronized between its windows. */
export const useKeymap = create<KeymapStore>((set) => {
  globalThis.addEventListener?.('storage', ({ key, newValue }) => {
    if (key === storageKey) set({ keymap: readKept(newValue), isKept: true });
  });
  void readLayout().then((layout) => set({ layout }));
  return {
    keymap: readKept(globalThis.localStorage?.getItem(storageKey) ?? null),
    isKept: true,
    layout: null,
    set(keymap) {
      set({ keymap, isKept: keep(keymap) });
    },
  };
});

function keep(keymap: Keymap): boolean {
  try {
    globalThis.localStorage?.setItem(storageKey, writeKeymap(keymap));
    return true;
  } catch {
    return false;
  }
}

interface KeyboardApi {
  readonly keyboard?: { getLayoutMap(): Promise<ReadonlyMap<string, string>> };
}

async function readLayout(): Promise<ReadonlyMap<string, string> | null> {
  // Only Chromium has it; the DOM types do not.
  const { keyboard } = (globalThis.navigator ?? {}) as KeyboardApi;
  return keyboard?.getLayoutMap().catch(() => null) ?? null;
}

/** Keys whose names differ between languages, as `formatShortcut` writes them. */
const keyNames: Readonly<Record<string, TextKey>> = {
  Ctrl: 'keys.printed.ctrl',
  Del: 'keys.printed.del',
  'Page ↑': 'keys.printed.pageUp',
  'Page ↓': 'keys.printed.pageDown',
};

export const shortcutText = (shortcut: Shortcut): string => {
  const { layout } = useKeymap.getState();
  const shown = formatShortcut(shortcut, layout === null ? {} : { layout });
  return shown.replace(/Ctrl|Del|Page [↑↓]/g, (name) => text(keyNames[name] ?? 'keys.printed.ctrl'));
};
