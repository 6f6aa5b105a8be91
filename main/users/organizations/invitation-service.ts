import type { z } from 'zod';
import type { Invitation, invitationWriteSchema } from '../../../preload/contract/schema/people.ts';
import { listRows } from '../../db/list-rows.ts';
import { invalidField, invalidRequest, notFound, orNotFound } from '../../platform/errors.ts';
import { isAllowed, requireAllowed, type AccessFacts } from '../access/access-rules.ts';
import type { ActionOf } from '../access/access-table.ts';
import type { Actor, Listing, ListRequest } from '../access/actor.ts';
import { createThrottle, type Throttle } from '../auth/throttle.ts';
import { visibleTo } from '../access/scope.ts';
import { randomSecret } from '../auth/secrets.ts';
import type { UserRow } from '../accounts/user-repository.ts';
import { addPlaceholder } from './invited-accounts.ts';
import { invitationList, type InvitationRow } from './invitation-repository.ts';
import { refusal, requirePending, presentInvitation } from './organization-presenters.ts';
import type { OrganizationDependencies } from './organization-dependencies.ts';

const columns = {
  organization: 'membership.organization_id',
  people: { owner: 'invitation.owner_id', invitee: 'membership.user_id' },
};

const renewalsPerHour = 5;
const hourMs = 60 * 60 * 1000;
/** 48 random bytes are 64 characters of base64url. */
const keyBytes = 48;

/**
 * Invitations to an organization. No mail is sent from this machine: users with an account become members immediately.
 * Others need the invitation's key, and registering with it creates the account.
 */
export function createInvitationService(
  dependencies: Pick<
    OrganizationDependencies,
    'database' | 'invitations' | 'memberships' | 'users' | 'place' | 'changes' | 'clock'
  >,
) {
  const { database, invitations, memberships, users, place, changes, clock } = dependencies;
  const renewals = new Map<number, Throttle>();

  const factsOf = (actor: Actor, row: InvitationRow): AccessFacts => ({
    ...place(actor, row.organization_id),
    people: { owner: row.owner_id, invitee: row.user_id },
    roles: [row.role],
  });

  /** Returns 404 to users who may not see the invitation. */
  function open(actor: Actor, key: string, action: ActionOf<'invitation'>): InvitationRow {
    const row = orNotFound(invitations.get(key));
    const facts = factsOf(actor, row);
    if (!isAllowed(actor, 'invitation', 'view', facts)) throw notFound();
    requireAllowed(actor, 'invitation', action, facts);
    return row;
  }

  const present = (row: InvitationRow, baseUrl: string): Invitation => presentInvitation(row, clock(), baseUrl);

  /** The account with this e-mail address or user name; local accounts need no address. */
  function invitee(text: string): UserRow | undefined {
    return users.withEmail(text) ?? users.named(text);
  }

  /** Deletes the invitation by deleting its pending membership. */
  function withdraw(actor: Actor, row: InvitationRow): void {
    changes.deleting(actor, 'membership', [row.membership_id]);
    memberships.remove(row.membership_id);
    users.removePlaceholders();
  }

  function throttleOf(userId: number): Throttle {
    const known = renewals.get(userId) ?? createThrottle(renewalsPerHour, hourMs, () => Date.parse(clock()));
    renewals.set(userId, known);
    return known;
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Invitation> {
      const scope = visibleTo(actor, 'invitation', columns);
      const { count, results } = listRows<InvitationRow>(database, invitationList, request, scope);
      return { count, results: results.map((row) => present(row, actor.baseUrl)) };
    },
    get: (actor: Actor, key: string): Invitation => present(open(actor, key, 'view'), actor.baseUrl),

    create(actor: Actor, { email, role }: z.output<typeof invitationWriteSchema>): Invitation {
      const { organization } = actor;
      if (organization.kind !== 'one') throw noOrganization();
      const { id: organizationId, role: ownRole } = organization;
      requireAllowed(actor, 'invitation', 'create', { organizationId, role: ownRole, roles: [role] });
      if (role === 'owner') throw invalidField('role', 'An organization has exactly one owner.');
      const key = randomSecret(keyBytes);
      changes.run(actor, {}, () => {
        const now = clock();
        const user = invitee(email) ?? addPlaceholder(users, requireAddress(email), now);
        if (memberships.has(organizationId, user.id)) throw alreadyMember();
        const membershipId = memberships.insert({
          user_id: user.id,
          organization_id: organizationId,
          role,
          is_active: user.is_active,
          joined_date: user.is_active === 1 ? now : null,
        });
        invitations.insert({ key, membership_id: membershipId, owner_id: actor.userId, date: now });
        changes.created(actor, 'membership', [membershipId]);
        changes.created(actor, 'invitation', [key]);
      });
      return present(stored(invitations.get(key)), actor.baseUrl);
    },

    accept(actor: Actor, key: string): { organization_slug: string } {
      const row = open(actor, key, 'accept');
      requirePending(row, clock());
      const { membership_id: membershipId } = row;
      changes.run(actor, { memberships: [membershipId] }, () => memberships.activate(membershipId, clock()));
      return { organization_slug: row.organization_slug };
    },

    decline(actor: Actor, key: string): void {
      const row = open(actor, key, 'decline');
      if (row.is_active === 1) {
        throw refusal('This invitation is already accepted. Leave the organization by deleting your membership.');
      }
      changes.run(actor, {}, () => withdraw(actor, row));
    },

    /** At most five times an hour. @throws AppError 429 */
    resend(actor: Actor, key: string): void {
      const row = open(actor, key, 'resend');
      if (row.is_active === 1) throw refusal('This invitation is already accepted.');
      throttleOf(actor.userId).attempt();
      database.write(() => invitations.renew(key, clock()));
    },

    /** After acceptance, deleting the invitation does not end the membership. */
    remove(actor: Actor, key: string): void {
      const row = open(actor, key, 'delete');
      changes.run(actor, {}, () => {
        if (row.is_active !== 1) return withdraw(actor, row);
        changes.deleting(actor, 'invitation', [key]);
        invitations.remove(key);
      });
    },
  };
}

function requireAddress(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw invalidField('email', 'No user has this name. To invite a new user, enter a valid email address.');
}

function stored(row: InvitationRow | undefined): InvitationRow {
  if (!row) throw new Error('The invitation was not stored.');
  return row;
}

const noOrganization = () =>
  invalidRequest('Send the organization to invite to as "org" or "org_id", or in the header X-Organization.');

const alreadyMember = () => invalidRequest('The user is already a member of the organization.');
