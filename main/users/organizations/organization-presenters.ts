import type { Invitation, Membership, Organization } from '../../../preload/contract/schema/people.ts';
import { valuesFor } from '../../db/columns.ts';
import { presentUser } from '../accounts/present.ts';
import type { InvitationRow } from './invitation-repository.ts';
import type { MembershipRow } from './membership-repository.ts';
import { organizationColumns, type OrganizationRow } from './organization-repository.ts';
import { isoAfter } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';

export function presentOrganization(row: OrganizationRow, baseUrl: string): Organization {
  return {
    id: row.id,
    ...valuesFor(organizationColumns, 'plain', row),
    created_date: row.created_date,
    updated_date: row.updated_date,
    contact: JSON.parse(row.contact) as Organization['contact'],
    owner: presentUser(row, 'owner', baseUrl),
  };
}

export function presentMembership(row: MembershipRow, baseUrl: string): Membership {
  const user = presentUser(row, 'user', baseUrl);
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
  const user = presentUser(row, 'user', baseUrl);
  if (!user) throw new Error('The invitation has no user.');
  return {
    key: row.key,
    created_date: row.created_date,
    owner: presentUser(row, 'owner', baseUrl),
    role: row.role,
    user,
    organization: row.organization_id,
    expired: isPastDue(row, now),
    accepted: row.is_active === 1,
    organization_info: { id: row.organization_id, slug: row.organization_slug },
  };
}

const validMs = 7 * 24 * 60 * 60 * 1000;

/** True if the period of validity is over, even if it was accepted in time. */
const isPastDue = ({ sent_date }: InvitationRow, now: string): boolean => isoAfter(sent_date, validMs) <= now;

export const isExpired = (invitation: InvitationRow, now: string): boolean =>
  invitation.is_active === 0 && isPastDue(invitation, now);

/** @throws AppError 400 for an invitation that is accepted or expired */
export function requirePending(invitation: InvitationRow, now: string): void {
  if (invitation.is_active === 1) throw refusal('This invitation is already accepted.');
  if (isExpired(invitation, now)) {
    throw refusal('This invitation has expired. Ask its sender to send it again; it is then valid for seven days.');
  }
}

/** An error whose response is a bare string. */
export const refusal = (message: string) => new AppError('invalid', message, message);
