import type { Changes } from '../../db/changes.ts';
import type { BaseDependencies } from '../../db/base-dependencies.ts';
import type { PlaceFacts } from '../access/access-rules.ts';
import type { UserRepository } from '../accounts/user-repository.ts';
import type { InvitationRepository } from './invitation-repository.ts';
import type { MembershipRepository } from './membership-repository.ts';
import type { OrganizationRepository } from './organization-repository.ts';

/** Dependencies of the services for organizations and members, under the same names everywhere. */
export interface OrganizationDependencies extends Pick<BaseDependencies, 'database' | 'clock'> {
  readonly organizations: OrganizationRepository;
  readonly memberships: MembershipRepository;
  readonly invitations: InvitationRepository;
  readonly users: UserRepository;
  readonly place: PlaceFacts;
  readonly changes: Changes<'organization' | 'membership' | 'invitation' | 'user'>;
}
