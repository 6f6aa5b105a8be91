import { organizationRoles } from '../../../preload/contract/schema/people.ts';
import { everything, type SqlFragment } from '../../db/filters.ts';
import { organizationsOfMember, amongFew, rowsOfMember } from '../../db/member-scopes.ts';
import { isAdmin, isAtLeastGroup, isAtLeastRole, rowsOf } from './access-rules.ts';
import type { AccessRow, Relation, Resource } from './access-table.ts';
import type { Actor } from './actor.ts';
import type { Store } from '../../db/store.ts';

export interface ScopeColumns {
  readonly organization: string;
  readonly people: Readonly<Partial<Record<Relation, string>>>;
  /** SQL that is true if the row is a membership with a pending invitation. */
  readonly pending?: string;
}

export type Viewable = Exclude<Resource, 'server' | 'function' | 'event'>;

const inOrganizations: ReadonlySet<Viewable> = new Set([
  'project',
  'task',
  'job',
  'issue',
  'comment',
  'webhook',
  'cloudstorage',
  'membership',
  'invitation',
]);

const narrowsNothing = ({ sql }: SqlFragment): boolean => sql === everything.sql;
const never: SqlFragment = { sql: '0', params: [] };

/**
 * Filters a list to the objects that the actor may see: those in the organization context that a `view` rule allows.
 * Admins see all objects in the context.
 */
export function visibleTo(actor: Actor, kind: Viewable, columns: ScopeColumns): SqlFragment {
  return joined('AND', [contextScope(actor, columns.organization), seenBy(actor, kind, columns)]);
}

/**
 * The part of {@link visibleTo} that ignores the context. Without a context, only objects with a relation to the actor
 * are listed, and not those that a role in an organization would show.
 */
export function seenBy(actor: Actor, kind: Viewable, columns: ScopeColumns): SqlFragment {
  if (isAdmin(actor)) return everything;
  const isRelatedOnly = actor.organization.kind === 'all' && inOrganizations.has(kind);
  const rows = rowsOf(kind, 'view').filter(({ who }) => who !== undefined || !isRelatedOnly);
  return joined(
    'OR',
    rows.flatMap((row) => rowScope(row, actor, columns) ?? []),
  );
}

function contextScope({ organization }: Actor, column: string): SqlFragment {
  if (organization.kind === 'all') return everything;
  if (organization.kind === 'personal') return { sql: `${column} IS NULL`, params: [] };
  return { sql: `${column} = +?`, params: [organization.id] };
}

/** Like {@link contextScope}, for one object. */
export const isInContext = ({ organization }: Actor, organizationId: number | null): boolean =>
  organization.kind === 'all' || organizationId === (organization.kind === 'one' ? organization.id : null);

export const organizationOf = (actor: Actor): number | null =>
  actor.organization.kind === 'one' ? actor.organization.id : null;

/** The objects that one rule shows to the actor; null if there are none. */
function rowScope(row: AccessRow, actor: Actor, columns: ScopeColumns): SqlFragment | null {
  const place = placeScope(row, actor, columns.organization);
  if (place === null) return null;
  const parts = [place];
  if (row.who) parts.push(relationScope(row.who, actor, columns));
  if (row.settled) parts.push({ sql: `NOT (${columns.pending ?? '0'})`, params: [] });
  return joined('AND', parts);
}

function placeScope(row: AccessRow, actor: Actor, column: string): SqlFragment | null {
  const { group } = actor;
  if (row.anywhere && isAtLeastGroup(group, row.anywhere)) return everything;
  const places: SqlFragment[] = [];
  if (row.sandbox && isAtLeastGroup(group, row.sandbox)) places.push({ sql: `${column} IS NULL`, params: [] });
  if (row.organization && isAtLeastGroup(group, row.organization[0])) {
    const [, leastRole] = row.organization;
    const roles = organizationRoles.filter((role) => isAtLeastRole(role, leastRole));
    places.push(memberOf(actor, column, 'IN', roles));
  }
  if (row.outsider && row.outsider === group) places.push(memberOf(actor, column, 'NOT IN'));
  return places.length === 0 ? null : joined('OR', places);
}

function memberOf(
  { userId }: Actor,
  column: string,
  operator: 'IN' | 'NOT IN',
  roles: readonly string[] | null = null,
): SqlFragment {
  const own = organizationsOfMember(roles);
  // In SQL, null is `NOT IN` an empty list.
  return { sql: `${column} IS NOT NULL AND ${column} ${operator} (${own})`, params: [userId] };
}

function relationScope(who: readonly Relation[], { userId }: Actor, { people }: ScopeColumns): SqlFragment {
  return joined(
    'OR',
    who.map((relation) => {
      const column = people[relation];
      if (column === undefined) throw new Error(`The list names no column for the relation ${relation}.`);
      return { sql: `${column} = +?`, params: [userId] };
    }),
  );
}

function joined(operator: 'AND' | 'OR', parts: readonly SqlFragment[]): SqlFragment {
  if (parts.length === 0) return never;
  const isEverything = operator === 'AND' ? parts.every(narrowsNothing) : parts.some(narrowsNothing);
  if (isEverything) return everything;
  const sql = parts.map((part) => `(${part.sql})`).join(` ${operator} `);
  return { sql, params: parts.flatMap((part) => part.params) };
}

export interface VisibleSources {
  /** A query for every relation that a `view` rule uses; the user's id is the parameter. */
  readonly people: Readonly<Partial<Record<Relation, string>>>;
  /** Joins from `FROM membership` to the rows of the organization. */
  readonly ofMembership: string;
  readonly id: string;
}

/**
 * Filters a list to the rows related to the actor; null if there are many. The rules must still be applied, because
 * this ignores places.
 */
export function fewVisible(database: Store, actor: Actor, kind: Viewable, sources: VisibleSources): SqlFragment | null {
  const parts = rowsOf(kind, 'view').map((row) => partsOf(row, actor, sources));
  if (parts.includes(null)) return null;
  const selects = [...new Set(parts.flatMap((part) => part ?? []))];
  if (selects.length === 0) return null;
  return amongFew(
    database,
    sources.id,
    selects,
    selects.map(() => actor.userId),
  );
}

/** Null if the rule may show rows without a relation to the actor. */
function partsOf(row: AccessRow, { group }: Actor, { people, ofMembership, id }: VisibleSources): string[] | null {
  if (row.who) {
    return row.who.map((relation) => {
      const select = people[relation];
      if (select === undefined) throw new Error(`The list names no source for the relation ${relation}.`);
      return select;
    });
  }
  if (row.anywhere || row.sandbox || row.outsider) return null;
  if (!row.organization || !isAtLeastGroup(group, row.organization[0])) return [];
  const [, leastRole] = row.organization;
  const roles = organizationRoles.filter((role) => isAtLeastRole(role, leastRole));
  return [rowsOfMember(id, ofMembership, roles)];
}
