import { Kbd } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useRef, type ReactNode } from 'react';
import classes from './command-palette.module.css';

export interface PaletteItem {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** Distinguishes items of the same name, on the right. */
  readonly fact?: string | undefined;
  readonly icon?: ReactNode;
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}

interface PaletteProps {
  readonly name: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly items: readonly PaletteItem[];
  readonly placeholder: string;
  readonly nothing: string;
}

const [store, palette] = createSpotlight();

export const openPalette = (): void => palette.open();

/** Later results may precede the marked one, so the first is marked again unless the user has moved. */
function markFirst(): void {
  if (store.getState().selected > 0) return;
  const list = document.getElementById(store.getState().listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

export function CommandPalette({ name, query, onQuery, items, placeholder, nothing }: PaletteProps) {
  /** Runs after the palette has closed: it returns the focus then, which a dialog would lose. */
  const chosen = useRef<(() => void) | null>(null);
  const runChosen = (): void => {
    const run = chosen.current;
    chosen.current = null;
    run?.();
  };
  const shown = items.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (query !== '' && shown !== '') markFirst();
  }, [query, shown]);
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
        ...rightOf(item),
      })),
  }));
  return (
    <Spotlight
      store={store}
      attributes={{ content: { 'aria-label': name } }}
      classNames={{ action: classes.action ?? '' }}
      actions={actions}
      query={query}
      onQueryChange={onQuery}
      filter={(_, all) => all}
      shortcut={['mod + K']}
      nothingFound={nothing}
      searchProps={{ placeholder, autoFocus: true }}
      tagsToIgnore={[]}
      highlightQuery
      transitionProps={{ duration: 80, onExited: runChosen }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      scrollable
      maxHeight={480}
      size={640}
    />
  );
}

function rightOf({ shortcut, fact }: PaletteItem) {
  if (shortcut !== undefined) return { rightSection: <Kbd size="xs">{shortcut}</Kbd> };
  if (fact === undefined) return {};
  return { rightSection: <span className={classes.fact}>{fact}</span> };
}
