import type { Store } from './store.ts';
import type { SqlFragment } from './sql.ts';

const withRole = (roles: readonly string[] | null): string =>
  roles === null ? '' : ` AND membership.role IN (${roles.map((role) => `'${role}'`).join(', ')})`;

/**
 * The organizations in which a user is an active member. The parameter is the user's id.
 * @param roles the user must have one of them there; null: any
 */
export const organizationsOfMember = (roles: readonly string[] | null): string =>
  `SELECT organization_id FROM membership WHERE user_id = +? AND is_active = 1${withRole(roles)}`;

/** The rows of a list in the organizations of {@link organizationsOfMember}; `joins` leads from there to the rows. */
export const rowsOfMember = (id: string, joins: string, roles: readonly string[]): string =>
  `SELECT ${id} AS id FROM membership ${joins}
   WHERE membership.user_id = +? AND membership.is_active = 1${withRole(roles)}`;

/** With more rows, a scan in the order of the list fills a page soon. */
const maxRows = 200;

/** Filters a list to the rows that any of the selections finds; null if there are more than `maxRows`. */
export function amongFew(
  database: Store,
  id: string,
  selections: readonly string[],
  params: readonly (string | number)[],
): SqlFragment | null {
  const ids = database
    .query(`SELECT json_group_array(id) FROM (${selections.join(' UNION ALL ')} LIMIT ${maxRows + 1})`)
    .pluck()
    .get(...params);
  // Result of the statement above.
  const known = JSON.parse(String(ids)) as number[];
  return known.length > maxRows ? null : { sql: `${id} IN (${known.join(', ')})`, params: [] };
}
