import { useQuery } from '@tanstack/react-query';
import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import { peopleQueries } from '../../api/people-queries.ts';

/** Everybody whom work can be given to. A single person has nobody to choose from and sees no such field. */
export function usePeople(): { readonly people: readonly BasicUser[]; readonly areSeveral: boolean } {
  const people = useQuery(peopleQueries.users()).data?.results ?? [];
  return { people, areSeveral: people.length > 1 };
}
