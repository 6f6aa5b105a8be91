import type { BasicUser } from '../../../preload/contract/schema/common.ts';

export interface UserColumns {
  readonly id: number;
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
}

export const basicUser = (user: UserColumns, baseUrl: string): BasicUser => ({
  url: `${baseUrl}/api/users/${user.id}`,
  id: user.id,
  username: user.username,
  first_name: user.first_name,
  last_name: user.last_name,
});

/** Reads a user joined into another row under a prefix (`owner_id`, `owner_username`, …). */
export function presentUser(row: object, prefix: string, baseUrl: string): BasicUser | null {
  // The query uses these column names.
  const columns = row as Readonly<Record<string, unknown>>;
  const id = columns[`${prefix}_id`];
  if (typeof id !== 'number') return null;
  const text = (column: string) => String(columns[`${prefix}_${column}`]);
  const names = { username: text('username'), first_name: text('first_name'), last_name: text('last_name') };
  return basicUser({ id, ...names }, baseUrl);
}

/** Columns for {@link presentUser}; join the user table as `alias`. */
export function userColumns(alias: string, prefix: string): string {
  return ['username', 'first_name', 'last_name']
    .map((column) => `${alias}.${column} AS ${prefix}_${column}`)
    .join(', ');
}
