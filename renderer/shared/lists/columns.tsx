import type { ReactNode } from 'react';
import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import { formatDate, formatShort } from '../format-text.ts';
import { Person, userName } from '../people/people.tsx';
import { type ListSettings, type ListName, useListSettings } from './list-address.ts';

export interface Column<Item> {
  readonly key: string;
  readonly name: string;
  /** Pixels; undefined shares the remaining width. */
  readonly width?: number;
  /** Narrowest window that shows it by default. */
  readonly from?: 'middle' | 'wide';
  readonly end?: boolean;
  /** Hidden by default. */
  readonly isExtra?: boolean;
  readonly title?: (item: Item) => string | undefined;
  readonly render: (item: Item) => ReactNode;
}

const shownIn = <Item,>(columns: readonly Column<Item>[], { columns: chosen }: ListSettings): readonly Column<Item>[] =>
  columns
    .filter(({ key, isExtra = false }) => chosen[key] ?? !isExtra)
    // A chosen column also appears in medium windows; the smallest ones lack the space.
    .map((column) => (chosen[column.key] === true && column.from === 'wide' ? { ...column, from: 'middle' } : column));

export function useColumns<Item>(list: ListName, columns: readonly Column<Item>[]): readonly Column<Item>[] {
  const [kept] = useListSettings(list);
  return shownIn(columns, kept);
}

type Look<Item> = Omit<Column<Item>, 'title' | 'render'>;

export const dateColumn = <Item,>(look: Look<Item>, dateOf: (item: Item) => string): Column<Item> => ({
  ...look,
  end: true,
  title: (item) => formatDate(dateOf(item)),
  render: (item) => formatShort(dateOf(item)),
});

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
