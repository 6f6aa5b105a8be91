import { createInvitationService } from './organizations/invitation-service.ts';
import { createMembershipService } from './organizations/membership-service.ts';
import { createOrganizationService } from './organizations/organization-service.ts';

type Dependencies = Parameters<typeof createOrganizationService>[0] &
  Parameters<typeof createMembershipService>[0] &
  Parameters<typeof createInvitationService>[0];

export const createMembers = (dependencies: Dependencies) => ({
  organizations: createOrganizationService(dependencies),
  memberships: createMembershipService(dependencies),
  invitations: createInvitationService(dependencies),
});
