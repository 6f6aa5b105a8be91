import type { z } from 'zod';
import type {
  Organization,
  organizationPatchSchema,
  organizationWriteSchema,
} from '../../../preload/contract/schema/people.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import { isAllowed, noFacts, requireAllowed, type AccessFacts } from '../access/access-rules.ts';
import type { ActionOf } from '../access/access-table.ts';
import type { Actor, Listing, ListRequest } from '../access/actor.ts';
import type { MemberEvents } from '../../webhooks/events/member-events.ts';
import { seenBy } from '../access/scope.ts';
import type { TaskRemover } from '../../work/tasks/task-remover.ts';
import type { UserRepository } from '../users/user-repository.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { MembershipRepository } from './membership-repository.ts';
import { presentOrganization } from './organization-presenters.ts';
import {
  organizationList,
  type OrganizationChange,
  type OrganizationRepository,
  type OrganizationRow,
} from './organization-repository.ts';

const columns = { organization: 'organization.id', people: { owner: 'organization.owner_id' } };

export function createOrganizationService(dependencies: {
  readonly database: Database;
  readonly organizations: OrganizationRepository;
  readonly memberships: MembershipRepository;
  readonly users: UserRepository;
  readonly access: WorkAccess;
  readonly remover: TaskRemover;
  readonly events: MemberEvents;
  readonly clock: Clock;
}) {
  const { database, organizations, memberships, users, access, remover, events, clock } = dependencies;

  const factsOf = (actor: Actor, row: OrganizationRow): AccessFacts => ({
    ...access.facts.place(actor, row.id),
    people: { owner: row.owner_id },
  });

  function stored(id: number): OrganizationRow {
    const row = organizations.get(id);
    if (!row) throw notFound();
    return row;
  }

  /** Who may not even see it learns nothing about it. */
  function open(actor: Actor, id: number, action: ActionOf<'organization'>): OrganizationRow {
    const row = stored(id);
    const facts = factsOf(actor, row);
    if (!isAllowed(actor, 'organization', 'view', facts)) throw notFound();
    requireAllowed(actor, 'organization', action, facts);
    return row;
  }

  function requireFreeSlug(slug: string, ownId?: number): void {
    const taken = organizations.idOfSlug(slug);
    if (taken !== undefined && taken !== ownId) {
      throw invalidField('slug', 'organization with this slug already exists.');
    }
  }

  return {
    /** Whatever the context: it names an organization, it does not belong to one. */
    list(actor: Actor, request: ListRequest): Listing<Organization> {
      const scope = seenBy(actor, 'organization', columns);
      const { count, results } = listRows<OrganizationRow>(database, organizationList, request, scope);
      return { count, results: results.map((row) => presentOrganization(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: number): Organization => presentOrganization(open(actor, id, 'view'), actor.baseUrl),

    /** The actor becomes its owner and first member. */
    create(actor: Actor, body: z.output<typeof organizationWriteSchema>): Organization {
      requireAllowed(actor, 'organization', 'create', noFacts);
      const id = database
        .transaction(() => {
          requireFreeSlug(body.slug);
          const now = clock();
          const created = organizations.insert({
            slug: body.slug,
            name: body.name === '' ? body.slug : body.name,
            description: body.description,
            contact: JSON.stringify(body.contact),
            owner_id: actor.userId,
            created_date: now,
          });
          memberships.insert({
            user_id: actor.userId,
            organization_id: created,
            role: 'owner',
            is_active: 1,
            joined_date: now,
          });
          return created;
        })
        .immediate();
      return presentOrganization(stored(id), actor.baseUrl);
    },

    update(actor: Actor, id: number, body: z.output<typeof organizationPatchSchema>): Organization {
      open(actor, id, 'update');
      const change: OrganizationChange = {
        ...(body.slug === undefined ? {} : { slug: body.slug }),
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.description === undefined ? {} : { description: body.description }),
        ...(body.contact === undefined ? {} : { contact: JSON.stringify(body.contact) }),
      };
      const apply = () => {
        if (body.slug !== undefined) requireFreeSlug(body.slug, id);
        organizations.update(id, change, clock());
      };
      database.transaction(() => events.watch(actor, { organizationId: id }, apply)).immediate();
      return presentOrganization(stored(id), actor.baseUrl);
    },

    /** Deletes it with its projects, its tasks, their annotations and uploaded media, its members and invitations. */
    remove(actor: Actor, id: number): void {
      open(actor, id, 'delete');
      remover.removeAll(actor, {
        taskIds: organizations.taskIds(id),
        projectIds: organizations.projectIds(id),
        also: () => {
          events.organizationDeleting(actor, id);
          organizations.remove(id);
          users.removePlaceholders();
        },
      });
    },
  };
}
