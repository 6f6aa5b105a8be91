import type { ReactNode } from 'react';
import { useKeptList, type KeptList, type ListName } from './kept-list.ts';

/** A fact of each thing of a list, below its name. */
export interface Column<Item> {
  readonly key: string;
  readonly name: string;
  /** In pixels; without one it shares what the names leave. */
  readonly width?: number;
  /** The narrowest window that has room for it, unless it was chosen by hand. */
  readonly from?: 'middle' | 'wide';
  /** For numbers and dates. */
  readonly end?: boolean;
  /** Shown only where it is chosen. */
  readonly isExtra?: boolean;
  readonly title?: (item: Item) => string | undefined;
  readonly render: (item: Item) => ReactNode;
}

const shownIn = <Item>(columns: readonly Column<Item>[], { columns: chosen }: KeptList): readonly Column<Item>[] =>
  columns
    .filter(({ key, isExtra = false }) => chosen[key] ?? !isExtra)
    // Who chooses a column in a window of the middle wants to see it there; the smallest has no room.
    .map((column) => (chosen[column.key] === true && column.from === 'wide' ? { ...column, from: 'middle' } : column));

/** The columns that a person sees of a list. */
export function useColumns<Item>(list: ListName, columns: readonly Column<Item>[]): readonly Column<Item>[] {
  const [kept] = useKeptList(list);
  return shownIn(columns, kept);
}
