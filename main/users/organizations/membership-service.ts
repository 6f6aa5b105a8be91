import type { z } from 'zod';
import type { Membership, membershipPatchSchema, OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { listRows } from '../../db/list-rows.ts';
import { AppError, invalidField, orNotFound } from '../../platform/errors.ts';
import { isAdmin, requireAllowed, type AccessFacts } from '../access/access-rules.ts';
import type { ActionOf } from '../access/access-table.ts';
import type { Actor, Listing, ListRequest } from '../access/actor.ts';
import { visibleTo } from '../access/scope.ts';
import { membershipList, type MembershipRow } from './membership-repository.ts';
import { presentMembership } from './organization-presenters.ts';
import type { OrganizationDependencies } from './organization-dependencies.ts';

const columns = {
  organization: 'membership.organization_id',
  people: { self: 'membership.user_id' },
  pending: 'membership.is_active = 0',
};

export function createMembershipService(
  dependencies: Pick<
    OrganizationDependencies,
    'database' | 'organizations' | 'memberships' | 'users' | 'place' | 'changes' | 'clock'
  >,
) {
  const { database, organizations, memberships, users, place, changes, clock } = dependencies;

  const factsOf = (actor: Actor, row: MembershipRow, roles: readonly OrganizationRole[]): AccessFacts => ({
    ...place(actor, row.organization_id),
    people: { self: row.user_id },
    roles,
    isPending: row.is_active === 0,
  });

  const stored = (id: number): MembershipRow => orNotFound(memberships.get(id));

  function open(actor: Actor, id: number, action: ActionOf<'membership'>, given?: OrganizationRole): MembershipRow {
    const row = stored(id);
    const roles = given === undefined ? [row.role] : [row.role, given];
    const facts = factsOf(actor, row, roles);
    requireAllowed(actor, 'membership', 'view', facts);
    requireAllowed(actor, 'membership', action, facts);
    return row;
  }

  /** Only admins can reach this with the owner's role, because the rules refuse all others. */
  function changeRole(actor: Actor, row: MembershipRow, role: OrganizationRole): void {
    const organization = organizations.get(row.organization_id);
    const takesOver = role === 'owner' && isAdmin(actor) && organization?.owner_id === null && row.is_active === 1;
    if (!takesOver && (role === 'owner') !== (row.role === 'owner')) throw oneOwner('role');
    memberships.setRole(row.id, role);
    if (takesOver) organizations.update(row.organization_id, { owner_id: row.user_id }, clock());
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Membership> {
      const scope = visibleTo(actor, 'membership', columns);
      const { count, results } = listRows<MembershipRow>(database, membershipList, request, scope);
      return { count, results: results.map((row) => presentMembership(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: number): Membership => presentMembership(open(actor, id, 'view'), actor.baseUrl),

    /** @throws AppError 403 also for a read-only field */
    update(actor: Actor, id: number, { role, ...others }: z.output<typeof membershipPatchSchema>): Membership {
      if (Object.keys(others).length > 0) {
        stored(id);
        throw new AppError('forbidden', 'Attempted to update an unknown field');
      }
      if (role === undefined) return presentMembership(open(actor, id, 'view'), actor.baseUrl);
      const row = open(actor, id, 'change:role', role);
      const watched = { memberships: [id], organizations: [row.organization_id] };
      changes.run(actor, watched, () => changeRole(actor, row, role));
      return presentMembership(stored(id), actor.baseUrl);
    },

    /** Ends the membership. Objects that the member owned or was assigned to stay in the organization. */
    remove(actor: Actor, id: number): void {
      const row = open(actor, id, 'delete');
      const organization = organizations.get(row.organization_id);
      if (organization?.owner_id === row.user_id) throw oneOwner('id');
      changes.run(actor, {}, () => {
        changes.deleting(actor, 'membership', [row.id]);
        memberships.remove(row.id);
        users.removePlaceholders();
      });
    },
  };
}

const oneOwner = (field: string) =>
  invalidField(field, 'An organization has exactly one owner, who remains until it is deleted. Nothing was changed.');
