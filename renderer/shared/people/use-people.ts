import { useQuery } from '@tanstack/react-query';
import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import { peopleQueries } from '../../api/people-queries.ts';

/** Users who can be assigned. A single user sees no such field. */
export function usePeople(): { readonly people: readonly BasicUser[]; readonly areSeveral: boolean } {
  const people = useQuery(peopleQueries.users()).data?.results ?? [];
  return { people, areSeveral: people.length > 1 };
}
