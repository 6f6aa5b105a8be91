import { useNavigate } from '@tanstack/react-router';
import { askedFilter } from './filter/list-filter.ts';
import type { ListField } from './filter/list-fields.ts';

export const listPageSize = 20;

/** Complete state of a list in the address, so that it can be shared. */
export interface ListAddress {
  readonly page?: number | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly filter?: string | undefined;
  readonly view?: string | undefined;
}

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

export const rangeSize = 500;

export async function loadAll<Item>(ask: (page: number) => Promise<Found<Item>>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { count, results } = await ask(page);
    all.push(...results);
    if (results.length === 0 || all.length >= count) return all;
  }
}

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
