import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { useLocalStorage } from '../../ui/kit.ts';
import { usePeople } from '../people/use-people.ts';
import { filterOf } from './filter/list-filter.ts';

/** View of the work assigned to this user; none if there is a single user. */
export function useOwnView(): readonly ListView[] {
  const t = useText();
  const { areSeveral } = usePeople();
  const username = useQuery(queries.self()).data?.username;
  if (!areSeveral || username === undefined) return [];
  return [{ name: t('lists.views.mine'), filter: filterOf({ assignee: username }) }];
}

export type ListName = 'projects' | 'tasks' | 'jobs' | 'requests' | 'webhooks';

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
