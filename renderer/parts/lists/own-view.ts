import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { usePeople } from '../people/use-people.ts';
import { filterOf } from './filter/list-filter.ts';
import type { ListView } from './kept-list.ts';

/** What is given to this person; no view of its own where there is only one. */
export function useOwnView(): readonly ListView[] {
  const t = useText();
  const { areSeveral } = usePeople();
  const username = useQuery(queries.self()).data?.username;
  if (!areSeveral || username === undefined) return [];
  return [{ name: t('lists.views.mine'), filter: filterOf({ assignee: username }) }];
}
