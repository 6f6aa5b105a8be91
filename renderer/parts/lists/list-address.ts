import { useNavigate } from '@tanstack/react-router';
import { askedFilter } from './filter/list-filter.ts';
import type { ListField } from './filter/list-fields.ts';

export const listPageSize = 20;

/** What the address says about a list: all of it, so that it can be given to somebody. */
export interface ListAddress {
  readonly page?: number | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  /** JSON Logic. */
  readonly filter?: string | undefined;
  /** Name of the view that was opened; it may have been changed since. */
  readonly view?: string | undefined;
}

/** What the service is asked for. */
export const listOf = (
  { page = 1, q = '', sort, filter }: ListAddress,
  fields: readonly ListField[] = [],
  usualSort = '-id',
) => ({
  page,
  pageSize: listPageSize,
  search: q,
  sort: sort ?? usualSort,
  filter: askedFilter(filter, fields),
});

interface Found<Item> {
  readonly count: number;
  readonly results: readonly Item[];
}

/** So many are asked for at a time. */
export const portionSize = 500;

/** All things of a list, in portions. */
export async function loadAll<Item>(ask: (page: number) => Promise<Found<Item>>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { count, results } = await ask(page);
    all.push(...results);
    if (results.length === 0 || all.length >= count) return all;
  }
}

/** Changes what the address says of a list. */
export function useListAddress<Address extends ListAddress>(address: Address) {
  const navigate = useNavigate();
  return (change: Partial<Address>): void => {
    const next = { ...address, ...change };
    const kept = Object.entries(next).filter(
      ([key, value]) => value !== undefined && value !== '' && !(key === 'page' && value === 1),
    );
    void navigate({ to: '.', search: Object.fromEntries(kept), replace: change.page === undefined });
  };
}
