import { useNavigate } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { askedFilter, type ListField, filterOf } from './filter/list-filter.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { useLocalStorage } from '../../ui/kit.ts';
import { usePeople } from '../people/people.tsx';

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

/** View of the work assigned to this user; none if there is a single user. */
export function useOwnView(): readonly ListView[] {
  const t = useText();
  const { areSeveral } = usePeople();
  const username = useQuery(queries.self()).data?.username;
  if (!areSeveral || username === undefined) return [];
  return [{ name: t('lists.views.mine'), filter: filterOf({ assignee: username }) }];
}

export type ListName =
  | 'projects'
  | 'tasks'
  | 'jobs'
  | 'requests'
  | 'webhooks'
  | 'remote-projects'
  | 'remote-tasks'
  | 'remote-jobs';

const viewSchema = z.object({
  name: z.string(),
  q: z.string().optional(),
  filter: z.string().optional(),
  sort: z.string().optional(),
});
const keptSchema = z.object({
  views: z.array(viewSchema).default([]),
  /** Columns shown or hidden by the user; the others depend on the space. */
  columns: z.record(z.string(), z.boolean()).default({}),
});

export type ListView = z.infer<typeof viewSchema>;
export type ListSettings = z.infer<typeof keptSchema>;

const nothing: ListSettings = { views: [], columns: {} };

function readKept(text: string | undefined): ListSettings {
  try {
    return keptSchema.parse(JSON.parse(text ?? 'null'));
  } catch {
    return nothing;
  }
}

export const withView = (kept: ListSettings, view: ListView): ListSettings => {
  const isThere = kept.views.some(({ name }) => name === view.name);
  // A changed view keeps its position.
  const views = isThere ? kept.views.map((one) => (one.name === view.name ? view : one)) : [...kept.views, view];
  return { ...kept, views };
};
export const withoutView = (kept: ListSettings, gone: string): ListSettings => ({
  ...kept,
  views: kept.views.filter(({ name }) => name !== gone),
});

export function useListSettings(list: ListName): readonly [ListSettings, (kept: ListSettings) => void] {
  const person = useQuery(queries.self()).data?.id ?? 0;
  const [kept, setKept] = useLocalStorage<ListSettings>({
    key: `limner.lists.${person}.${list}`,
    defaultValue: nothing,
    getInitialValueInEffect: false,
    deserialize: readKept,
  });
  return [kept, setKept];
}
