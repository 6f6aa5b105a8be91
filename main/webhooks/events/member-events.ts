import type { Clock } from '../../platform/clock.ts';
import type { InvitationRepository } from '../../people/organizations/invitation-repository.ts';
import type { MembershipRepository, MembershipRow } from '../../people/organizations/membership-repository.ts';
import {
  presentInvitation,
  presentMembership,
  presentOrganization,
} from '../../people/organizations/organization-presenters.ts';
import type { OrganizationRepository, OrganizationRow } from '../../people/organizations/organization-repository.ts';
import { columnChanges, hasAny, updateOf, type Changed, type ColumnChanges } from './column-changes.ts';
import type { EventAction, EventActor, EventRecorder } from './event-recorder.ts';

const organizationColumns = {
  slug: 'slug',
  name: 'name',
  description: 'description',
  contact: 'contact',
  owner_id: 'owner_id',
  updated_date: 'updated_date',
} as const;
const membershipColumns = { role: 'role', is_active: 'is_active', joined_date: 'joined_date' } as const;

export type MemberEvents = ReturnType<typeof createMemberEvents>;

/** Events of organizations, memberships and invitations. Call inside the change's transaction. */
export function createMemberEvents(dependencies: {
  readonly events: EventRecorder;
  readonly organizations: Pick<OrganizationRepository, 'get'>;
  readonly memberships: Pick<MembershipRepository, 'get' | 'idsOf' | 'idsOfUser'>;
  readonly invitations: Pick<InvitationRepository, 'get'>;
  readonly clock: Clock;
}) {
  const { events, organizations, memberships, invitations, clock } = dependencies;

  const placeOf = (organizationId: number) => ({ projectId: null, organizationId });

  function membership(actor: EventActor, action: EventAction, row: MembershipRow, change?: Changed<MembershipRow>) {
    const shown = (of: MembershipRow) => presentMembership(of, actor.baseUrl);
    const update = change && updateOf(change, shown);
    const place = placeOf(row.organization_id);
    events.record({ action, resource: 'membership', actor, ...place, object: () => shown(row), ...update });
  }

  function invitation(actor: EventActor, action: EventAction, key: string): void {
    const row = events.isIdle() ? undefined : invitations.get(key);
    if (!row) return;
    const object = () => presentInvitation(row, clock(), actor.baseUrl);
    events.record({ action, resource: 'invitation', actor, ...placeOf(row.organization_id), object });
  }

  /** Before the row goes, and its invitation with it. */
  function membershipDeleting(actor: EventActor, id: number): void {
    const row = events.isIdle() ? undefined : memberships.get(id);
    if (!row) return;
    if (row.invitation_key !== null) invitation(actor, 'delete', row.invitation_key);
    membership(actor, 'delete', row);
  }

  function organizationChanged(actor: EventActor, before: OrganizationRow): void {
    const after = organizations.get(before.id);
    const changes = after && readable(columnChanges(before, after, organizationColumns));
    if (!changes || !hasAny(changes)) return;
    const shown = (of: OrganizationRow) => presentOrganization(of, actor.baseUrl);
    const update = updateOf({ before, changes }, shown);
    const place = placeOf(before.id);
    events.record({
      action: 'update',
      resource: 'organization',
      actor,
      ...place,
      object: () => shown(after),
      ...update,
    });
  }

  return {
    /** Makes a change and records what it did to an organization and to a membership. */
    watch<Result>(
      actor: EventActor,
      watched: { readonly organizationId?: number; readonly membershipId?: number },
      change: () => Result,
    ): Result {
      if (events.isIdle()) return change();
      const { organizationId, membershipId } = watched;
      const organization = organizationId === undefined ? undefined : organizations.get(organizationId);
      const member = membershipId === undefined ? undefined : memberships.get(membershipId);
      const result = change();
      const after = member && memberships.get(member.id);
      const changes = after && columnChanges(withFlag(member), withFlag(after), membershipColumns);
      if (changes && hasAny(changes)) membership(actor, 'update', after, { before: member, changes });
      if (organization) organizationChanged(actor, organization);
      return result;
    },
    membershipCreated(actor: EventActor, id: number): void {
      const row = events.isIdle() ? undefined : memberships.get(id);
      if (row) membership(actor, 'create', row);
    },
    membershipDeleting,
    invitationCreated: (actor: EventActor, key: string): void => invitation(actor, 'create', key),
    /** Before the row goes. */
    invitationDeleting: (actor: EventActor, key: string): void => invitation(actor, 'delete', key),
    /** Before the rows go: the members and invitations of an organization. */
    organizationDeleting(actor: EventActor, organizationId: number): void {
      if (events.isIdle()) return;
      for (const id of memberships.idsOf(organizationId)) membershipDeleting(actor, id);
    },
    /** Before the rows go: the memberships of a user. */
    userDeleting(actor: EventActor, userId: number): void {
      if (events.isIdle()) return;
      for (const id of memberships.idsOfUser(userId)) membershipDeleting(actor, id);
    },
  };
}

const withFlag = (row: MembershipRow) => ({ ...row, is_active: row.is_active === 1 });

/** The contact is stored as text; people wrote JSON. */
function readable(changes: ColumnChanges): ColumnChanges {
  const { contact } = changes;
  if (!contact) return changes;
  return { ...changes, contact: { from: JSON.parse(String(contact.from)), to: JSON.parse(String(contact.to)) } };
}
