import { Kbd } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { useRef, type ReactNode } from 'react';

export interface PaletteItem {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon?: ReactNode;
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}

interface PaletteProps {
  readonly items: readonly PaletteItem[];
  readonly placeholder: string;
  readonly nothingFound: string;
}

export const openPalette = (): void => spotlight.open();

/** Everything that can be done or opened, by typing a part of its name. */
export function CommandPalette({ items, placeholder, nothingFound }: PaletteProps) {
  /** Runs when the palette is gone: it gives the focus back then, and a dialog would lose it. */
  const chosen = useRef<(() => void) | null>(null);
  const runChosen = (): void => {
    const run = chosen.current;
    chosen.current = null;
    run?.();
  };
  const groups = [...new Set(items.map((item) => item.group))];
  const actions = groups.map((group) => ({
    group,
    actions: items
      .filter((item) => item.group === group)
      .map((item) => ({
        id: item.id,
        label: item.label,
        leftSection: item.icon,
        onClick: () => void (chosen.current = item.run),
        ...(item.description === undefined ? {} : { description: item.description }),
        ...(item.shortcut === undefined ? {} : { rightSection: <Kbd size="xs">{item.shortcut}</Kbd> }),
      })),
  }));
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K']}
      nothingFound={nothingFound}
      searchProps={{ placeholder }}
      tagsToIgnore={[]}
      highlightQuery
      transitionProps={{ duration: 80, onExited: runChosen }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      scrollable
      maxHeight={400}
    />
  );
}
