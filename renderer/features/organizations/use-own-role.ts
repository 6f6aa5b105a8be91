import { useQuery } from '@tanstack/react-query';
import type { Membership, OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { queries } from '../../api/queries.ts';

export interface OwnRole {
  readonly userId: number | null;
  readonly membership: Membership | null;
  readonly manages: boolean;
  readonly owns: boolean;
  readonly gives: readonly OrganizationRole[];
}

const belowOwner = ['worker', 'supervisor', 'maintainer'] as const;
const belowMaintainer = ['worker', 'supervisor'] as const;

/** Permissions of the signed-in user in an organization. The service enforces them; this only hides useless buttons. */
export function useOwnRole(slug: string): OwnRole {
  const self = useQuery(queries.self()).data;
  const members = useQuery(peopleQueries.members(slug)).data?.results;
  const membership = members?.find((one) => one.user.id === self?.id) ?? null;
  const role = membership?.is_active === true ? membership.role : null;
  const owns = self?.is_superuser === true || role === 'owner';
  const manages = owns || role === 'maintainer';
  return {
    userId: self?.id ?? null,
    membership,
    manages,
    owns,
    gives: owns ? belowOwner : manages ? belowMaintainer : [],
  };
}
