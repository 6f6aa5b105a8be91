import type { SqlFragment } from '../db/filters.ts';
import { isAdmin } from './access-rules.ts';
import type { Actor } from './actor.ts';

/**
 * Narrows a list to what the actor may see: the organization context, and, except for an admin, objects of which one
 * of the `staff` columns names the actor.
 */
export function visibleTo(actor: Actor, organizationColumn: string, staff: readonly string[]): SqlFragment {
  const context = organizationScope(actor, organizationColumn);
  if (isAdmin(actor)) return context;
  const own = staff.map((column) => `${column} = ?`).join(' OR ');
  return { sql: `${context.sql} AND (${own})`, params: [...context.params, ...staff.map(() => actor.userId)] };
}

function organizationScope({ organization }: Actor, column: string): SqlFragment {
  if (organization.kind === 'all') return { sql: '1', params: [] };
  if (organization.kind === 'personal') return { sql: `${column} IS NULL`, params: [] };
  return { sql: `${column} = ?`, params: [organization.id] };
}

export const organizationOf = (actor: Actor): number | null =>
  actor.organization.kind === 'one' ? actor.organization.id : null;
