import { createInvitationService } from '../users/organizations/invitation-service.ts';
import { createMembershipService } from '../users/organizations/membership-service.ts';
import { createOrganizationService } from '../users/organizations/organization-service.ts';
import type { TaskRemover } from '../work/tasks/task-remover.ts';
import type { Foundation } from './foundation.ts';

export function createOrganizations(
  { database, clock, place, changes, repositories }: Foundation,
  removeWork: TaskRemover['removeAll'],
) {
  const { organizations, memberships, invitations, users } = repositories;
  return {
    organizations: createOrganizationService({
      database,
      organizations,
      memberships,
      users,
      place,
      changes,
      clock,
      removeWork,
    }),
    memberships: createMembershipService({ database, organizations, memberships, users, place, changes, clock }),
    invitations: createInvitationService({ database, invitations, memberships, users, place, changes, clock }),
  };
}
