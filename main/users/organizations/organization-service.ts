import type { z } from 'zod';
import type {
  Organization,
  organizationPatchSchema,
  organizationWriteSchema,
} from '../../../preload/contract/schema/people.ts';
import { valuesFor } from '../../db/columns.ts';
import { listRows } from '../../db/list-rows.ts';
import { invalidField, orNotFound } from '../../platform/errors.ts';
import { noFacts, requireAllowed, type AccessFacts } from '../access/access-rules.ts';
import type { ActionOf } from '../access/access-table.ts';
import type { Actor, Listing, ListRequest } from '../access/actor.ts';
import { seenBy } from '../access/scope.ts';
import { presentOrganization } from './organization-presenters.ts';
import {
  organizationColumns,
  organizationList,
  type OrganizationChange,
  type OrganizationRow,
} from './organization-repository.ts';
import type { OrganizationDependencies } from './organization-dependencies.ts';

const columns = { organization: 'organization.id', people: { owner: 'organization.owner_id' } };

export function createOrganizationService(
  dependencies: Pick<
    OrganizationDependencies,
    'database' | 'organizations' | 'memberships' | 'users' | 'place' | 'changes' | 'clock'
  > & {
    /** Removes tasks and projects with their data, and the objects of `also`, as one change. */
    readonly removeWork: (
      actor: Actor,
      work: { readonly taskIds: readonly number[]; readonly projectIds: readonly number[]; readonly also: () => void },
    ) => void;
  },
) {
  const { database, organizations, memberships, users, place, removeWork, changes, clock } = dependencies;

  const factsOf = (actor: Actor, row: OrganizationRow): AccessFacts => ({
    ...place(actor, row.id),
    people: { owner: row.owner_id },
  });

  const stored = (id: number): OrganizationRow => orNotFound(organizations.get(id));

  function open(actor: Actor, id: number, action: ActionOf<'organization'>): OrganizationRow {
    const row = stored(id);
    const facts = factsOf(actor, row);
    requireAllowed(actor, 'organization', 'view', facts);
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
    /** Ignores the context, because an organization does not belong to one. */
    list(actor: Actor, request: ListRequest): Listing<Organization> {
      const scope = seenBy(actor, 'organization', columns);
      const { count, results } = listRows<OrganizationRow>(database, organizationList, request, scope);
      return { count, results: results.map((row) => presentOrganization(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: number): Organization => presentOrganization(open(actor, id, 'view'), actor.baseUrl),

    /** The actor becomes its owner and first member. */
    create(actor: Actor, body: z.output<typeof organizationWriteSchema>): Organization {
      requireAllowed(actor, 'organization', 'create', noFacts);
      const id = changes.run(actor, {}, () => {
        requireFreeSlug(body.slug);
        const now = clock();
        const created = organizations.insert({
          ...valuesFor(organizationColumns, 'plain', body),
          name: body.name === '' ? body.slug : body.name,
          contact: JSON.stringify(body.contact),
          owner_id: actor.userId,
          date: now,
        });
        memberships.insert({
          user_id: actor.userId,
          organization_id: created,
          role: 'owner',
          is_active: 1,
          joined_date: now,
        });
        changes.created(actor, 'organization', [created]);
        return created;
      });
      return presentOrganization(stored(id), actor.baseUrl);
    },

    update(actor: Actor, id: number, body: z.output<typeof organizationPatchSchema>): Organization {
      open(actor, id, 'update');
      const change: OrganizationChange = {
        ...valuesFor(organizationColumns, 'plain', body),
        contact: body.contact === undefined ? undefined : JSON.stringify(body.contact),
      };
      changes.run(actor, { organizations: [id] }, () => {
        if (body.slug !== undefined) requireFreeSlug(body.slug, id);
        organizations.update(id, change, clock());
      });
      return presentOrganization(stored(id), actor.baseUrl);
    },

    /** Deletes it with its projects, its tasks, their annotations and uploaded media, its members and invitations. */
    remove(actor: Actor, id: number): void {
      open(actor, id, 'delete');
      removeWork(actor, {
        taskIds: organizations.taskIds(id),
        projectIds: organizations.projectIds(id),
        also: () => {
          changes.deleting(actor, 'membership', memberships.idsOf(id));
          changes.deleting(actor, 'organization', [id]);
          organizations.remove(id);
          users.removePlaceholders();
        },
      });
    },
  };
}
