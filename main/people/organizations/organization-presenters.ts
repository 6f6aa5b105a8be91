import type { Invitation, Membership, Organization } from '../../../preload/contract/schema/people.ts';
import { valuesFor } from '../../db/columns.ts';
import { presentUser } from '../users/present.ts';
import type { InvitationRow } from './invitation-repository.ts';
import { isPastDue } from './invitation-rules.ts';
import type { MembershipRow } from './membership-repository.ts';
import { organizationColumns, type OrganizationRow } from './organization-repository.ts';

export function presentOrganization(row: OrganizationRow, baseUrl: string): Organization {
  return {
    id: row.id,
    ...valuesFor(organizationColumns, 'plain', row),
    created_date: row.created_date,
    updated_date: row.updated_date,
    contact: JSON.parse(row.contact) as Organization['contact'],
    owner: presentUser({ ...row }, 'owner', baseUrl),
  };
}

export function presentMembership(row: MembershipRow, baseUrl: string): Membership {
  const user = presentUser({ ...row }, 'user', baseUrl);
  if (!user) throw new Error(`Membership ${row.id} has no user.`);
  return {
    id: row.id,
    user,
    organization: row.organization_id,
    is_active: row.is_active === 1,
    joined_date: row.joined_date,
    role: row.role,
    invitation: row.invitation_key,
  };
}

/** @param now an invitation expires some days after it was sent */
export function presentInvitation(row: InvitationRow, now: string, baseUrl: string): Invitation {
  const user = presentUser({ ...row }, 'user', baseUrl);
  if (!user) throw new Error('The invitation has no user.');
  return {
    key: row.key,
    created_date: row.created_date,
    owner: presentUser({ ...row }, 'owner', baseUrl),
    role: row.role,
    user,
    organization: row.organization_id,
    expired: isPastDue(row, now),
    accepted: row.is_active === 1,
    organization_info: { id: row.organization_id, slug: row.organization_slug },
  };
}
