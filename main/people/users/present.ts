import type { BasicUser } from '../../../preload/contract/schema/common.ts';

export interface UserColumns {
  readonly id: number;
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** Reads a user joined into another row under a prefix (`owner_id`, `owner_username`, …). */
export function presentUser(row: Record<string, unknown>, prefix: string, baseUrl: string): BasicUser | null {
  const id = row[`${prefix}_id`];
  if (typeof id !== 'number') return null;
  return {
    url: `${baseUrl}/api/users/${id}`,
    id,
    username: String(row[`${prefix}_username`]),
    first_name: String(row[`${prefix}_first_name`]),
    last_name: String(row[`${prefix}_last_name`]),
  };
}

/** Columns for {@link presentUser}; join the user table as `alias`. */
export function userColumns(alias: string, prefix: string): string {
  return ['username', 'first_name', 'last_name']
    .map((column) => `${alias}.${column} AS ${prefix}_${column}`)
    .join(', ');
}
