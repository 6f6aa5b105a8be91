import { organizationRoles } from '../../../preload/contract/schema/people.ts';
import type { SqlFragment } from '../../db/filters.ts';
import { amongFew, rowsOfMember } from '../../db/member-scopes.ts';
import type { Database } from '../../db/open.ts';
import { isAtLeastGroup, isAtLeastRole, rowsOf } from './access-rules.ts';
import type { AccessRow, Relation } from './access-table.ts';
import type { Actor } from './actor.ts';
import type { Viewable } from './scope.ts';

/** How the rows that concern a user are found from the user, by indexes: each selects `id`s. */
export interface VisibleSources {
  /** For every relation that a `view` row of the table names; the user's id is the parameter. */
  readonly people: Readonly<Partial<Record<Relation, string>>>;
  /** Goes on behind `FROM membership`, to the rows of the organization. */
  readonly ofMembership: string;
  /** The list's column of ids. */
  readonly id: string;
}

/**
 * Narrows a list to the few rows that may concern the actor; null where they are not few. The rules are to be asked
 * still: this does not look at places.
 */
export function fewVisible(
  database: Database,
  actor: Actor,
  kind: Viewable,
  sources: VisibleSources,
): SqlFragment | null {
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

/** Null: the row may let the actor see what does not concern the actor in particular. */
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
