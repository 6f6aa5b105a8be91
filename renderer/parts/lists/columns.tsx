import type { ReactNode } from 'react';
import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import { formatDate, formatShort } from '../format-text.ts';
import { Person } from '../people/person.tsx';
import { userName } from '../people/user-name.ts';
import { type KeptList, type ListName, useKeptList } from './kept-list.ts';

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

const shownIn = <Item,>(columns: readonly Column<Item>[], { columns: chosen }: KeptList): readonly Column<Item>[] =>
  columns
    .filter(({ key, isExtra = false }) => chosen[key] ?? !isExtra)
    // Who chooses a column in a window of the middle wants to see it there; the smallest has no room.
    .map((column) => (chosen[column.key] === true && column.from === 'wide' ? { ...column, from: 'middle' } : column));

/** The columns that a person sees of a list. */
export function useColumns<Item>(list: ListName, columns: readonly Column<Item>[]): readonly Column<Item>[] {
  const [kept] = useKeptList(list);
  return shownIn(columns, kept);
}

type Look<Item> = Omit<Column<Item>, 'title' | 'render'>;

/** When something was: in short, and in full for who points at it. */
export const dateColumn = <Item,>(look: Look<Item>, dateOf: (item: Item) => string): Column<Item> => ({
  ...look,
  end: true,
  title: (item) => formatDate(dateOf(item)),
  render: (item) => formatShort(dateOf(item)),
});

/** Whose something is. */
export const personColumn = <Item,>(look: Look<Item>, userOf: (item: Item) => BasicUser | null): Column<Item> => ({
  ...look,
  width: 144,
  from: 'middle',
  title(item) {
    const user = userOf(item);
    return user === null ? undefined : userName(user);
  },
  render: (item) => <Person user={userOf(item)} />,
});
