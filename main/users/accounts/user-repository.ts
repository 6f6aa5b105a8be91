import type { OrganizationRole } from '../../../preload/contract/schema/people.ts';
import type { User } from '../../../preload/contract/schema/server.ts';
import { equalFields, type ListDefinition, type ListRequest, type SqlFragment } from '../../db/filters.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Store } from '../../db/store.ts';
import type { Actor, Listing } from '../access/actor.ts';

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly password_hash: string;
  readonly group_name: User['groups'][number];
  readonly is_active: number;
  readonly is_staff: number;
  readonly is_superuser: number;
  readonly date_joined: string;
  readonly last_login: string | null;
  readonly has_analytics_access: number;
  /** True (1) for the placeholder of an invited address, which becomes an account on registration. */
  readonly is_placeholder: number;
  /** Answers to CVAT's questions about the user, as JSON. */
  readonly profile: string;
}

export type NewUser = Omit<
  UserRow,
  'id' | 'last_login' | 'is_active' | 'has_analytics_access' | 'is_placeholder' | 'profile'
>;

/** Columns that a change may set. Names come from here, never from input. */
const changeable = [
  'username',
  'first_name',
  'last_name',
  'email',
  'group_name',
  'is_staff',
  'is_superuser',
  'is_active',
  'has_analytics_access',
  'is_placeholder',
  'password_hash',
  'profile',
] as const;
export type UserChange = Partial<Pick<UserRow, (typeof changeable)[number]>>;

const userList: ListDefinition = {
  select: 'user.*',
  from: 'user',
  fields: {
    ...equalFields('user', { text: ['username', 'first_name', 'last_name'], boolean: ['is_active'] }),
    id: { sql: 'user.id', type: 'number' },
  },
  search: ['username', 'first_name', 'last_name'],
  sort: '-id',
};

/** SQL: all members of the user's organizations. */
const colleaguesOf = `SELECT theirs.user_id FROM membership mine
  JOIN membership theirs ON theirs.organization_id = mine.organization_id
  WHERE mine.user_id = +? AND mine.is_active = 1`;

/** The users that a caller sees: all for an admin, otherwise the caller and the members of shared organizations. */
export function visibleUsers({ userId, group, organization }: Actor): SqlFragment | undefined {
  if (organization.kind === 'one') {
    return { sql: 'user.id IN (SELECT user_id FROM membership WHERE organization_id = +?)', params: [organization.id] };
  }
  if (group === 'admin') return undefined;
  if (organization.kind === 'personal') return { sql: 'user.id = +?', params: [userId] };
  return { sql: `user.id = +? OR user.id IN (${colleaguesOf})`, params: [userId, userId] };
}

export type UserRepository = ReturnType<typeof createUserRepository>;

export function createUserRepository(database: Store) {
  const byId = database.query('SELECT * FROM user WHERE id = +?');
  const byName = database.query('SELECT * FROM user WHERE username = +?');
  const byEmail = database.query("SELECT * FROM user WHERE email = +? COLLATE NOCASE AND email <> '' LIMIT 2");
  const firstSuperuser = database.query('SELECT * FROM user WHERE is_superuser = 1 AND is_active = 1 ORDER BY id');
  const insert = database.query(
    `INSERT INTO user (username, email, first_name, last_name, password_hash, group_name, is_staff, is_superuser,
       date_joined)
     VALUES (@username, @email, @first_name, @last_name, @password_hash, @group_name, @is_staff, @is_superuser,
       @date_joined)`,
  );
  const setPassword = database.query('UPDATE user SET password_hash = ? WHERE id = +?');
  const setLastLogin = database.query('UPDATE user SET last_login = ? WHERE id = +?');
  const colleague = database.query(`${colleaguesOf} AND theirs.user_id = +? LIMIT 1`);
  const organization = {
    id: database.query('SELECT id FROM organization WHERE id = +?'),
    slug: database.query('SELECT id FROM organization WHERE slug = +?'),
  };
  const role = database.query(
    'SELECT role FROM membership WHERE organization_id = +? AND user_id = +? AND is_active = 1',
  );
  const otherAdmin = database.query(
    "SELECT 1 FROM user WHERE is_superuser = 1 AND is_active = 1 AND group_name = 'admin' AND id <> +? LIMIT 1",
  );
  const setters = new Map(
    changeable.map((column) => [column, database.query(`UPDATE user SET ${column} = ? WHERE id = +?`)]),
  );
  const remove = database.query('DELETE FROM user WHERE id = +?');
  const removePlaceholders = database.query(
    'DELETE FROM user WHERE is_placeholder = 1 AND id NOT IN (SELECT user_id FROM membership)',
  );

  return {
    get: (id: number) => byId.get(id) as UserRow | undefined,
    named: (username: string) => byName.get(username) as UserRow | undefined,
    /** Also undefined if several users have the address. */
    withEmail(email: string): UserRow | undefined {
      const rows = byEmail.all(email) as UserRow[];
      return rows.length === 1 ? rows[0] : undefined;
    },
    owner: () => firstSuperuser.get() as UserRow | undefined,
    insert: (user: NewUser) => Number(insert.run(user).lastInsertRowid),
    update(id: number, change: UserChange): void {
      for (const column of changeable) if (column in change) setters.get(column)?.run(change[column], id);
    },
    remove: (id: number) => void remove.run(id),
    removePlaceholders: () => void removePlaceholders.run(),
    hasOtherAdmin: (id: number) => otherAdmin.get(id) !== undefined,
    setPassword: (id: number, passwordHash: string) => void setPassword.run(passwordHash, id),
    setLastLogin: (id: number, date: string) => void setLastLogin.run(date, id),
    shareOrganization: (userId: number, otherId: number) => colleague.get(userId, otherId) !== undefined,
    list: (request: ListRequest, visible?: SqlFragment): Listing<UserRow> =>
      listRows(database, userList, request, visible),
    organizationId: (key: 'id' | 'slug', value: number | string) =>
      (organization[key].get(value) as { id: number } | undefined)?.id,
    /** Role of an active member; null for all others. */
    role: (organizationId: number, userId: number): OrganizationRole | null =>
      (role.get(organizationId, userId) as { role: OrganizationRole } | undefined)?.role ?? null,
  };
}
