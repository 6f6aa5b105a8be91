import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import type { User } from '../../../preload/contract/schema/server.ts';
import type { SqlFragment } from '../../db/filters.ts';
import { notFound } from '../../platform/errors.ts';
import { isAdmin } from '../access-rules.ts';
import type { Actor, Listing, ListRequest } from '../actor.ts';
import type { UserRepository, UserRow } from './user-repository.ts';

export type UserService = ReturnType<typeof createUserService>;

function presentBasic(row: UserRow, baseUrl: string): BasicUser {
  return {
    url: `${baseUrl}/api/users/${row.id}`,
    id: row.id,
    username: row.username,
    first_name: row.first_name,
    last_name: row.last_name,
  };
}

export function presentFullUser(row: UserRow, baseUrl: string): User {
  return {
    ...presentBasic(row, baseUrl),
    email: row.email,
    groups: [row.group_name],
    is_staff: row.is_staff === 1,
    is_superuser: row.is_superuser === 1,
    is_active: row.is_active === 1,
    last_login: row.last_login,
    date_joined: row.date_joined,
    has_analytics_access: row.is_superuser === 1,
  };
}

/** The users that a caller sees: everybody for an admin, else the own account and the members of shared organizations. */
function visibleTo(actor: Actor): SqlFragment | undefined {
  const { organization } = actor;
  if (organization.kind === 'one') {
    const members = 'SELECT user_id FROM membership WHERE organization_id = ?';
    return { sql: `user.id IN (${members})`, params: [organization.id] };
  }
  if (isAdmin(actor)) return undefined;
  if (organization.kind === 'personal') return { sql: 'user.id = ?', params: [actor.userId] };
  const colleagues = `SELECT theirs.user_id FROM membership mine
    JOIN membership theirs ON theirs.organization_id = mine.organization_id
    WHERE mine.user_id = ? AND mine.is_active = 1`;
  return { sql: `user.id = ? OR user.id IN (${colleagues})`, params: [actor.userId, actor.userId] };
}

/** Users as the API answers them. E-mail, groups and dates are for the user and for admins. */
export function createUserService({ users }: { readonly users: UserRepository }) {
  const present = (actor: Actor, row: UserRow): User | BasicUser =>
    isAdmin(actor) || row.id === actor.userId ? presentFullUser(row, actor.baseUrl) : presentBasic(row, actor.baseUrl);

  return {
    list(actor: Actor, request: ListRequest): Listing<User | BasicUser> {
      const { count, results } = users.list(request, visibleTo(actor));
      return { count, results: results.map((row) => present(actor, row)) };
    },
    self(actor: Actor): User {
      const row = users.get(actor.userId);
      if (!row) throw notFound();
      return presentFullUser(row, actor.baseUrl);
    },
    get(actor: Actor, id: number): User | BasicUser {
      const row = users.get(id);
      const visible = isAdmin(actor) || id === actor.userId || users.shareOrganization(actor.userId, id);
      if (!row || !visible) throw notFound();
      return present(actor, row);
    },
  };
}
