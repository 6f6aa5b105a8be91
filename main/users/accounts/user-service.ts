import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import type { UserPatch } from '../../../preload/contract/schema/people.ts';
import type { User, UserProfile } from '../../../preload/contract/schema/server.ts';
import { placeOf, snapshotOf, type Changes } from '../../db/changes.ts';
import { invalidField, orNotFound } from '../../platform/errors.ts';
import { isAdmin, requireAllowed, type AccessFacts } from '../access/access-rules.ts';
import type { ActionOf } from '../access/access-table.ts';
import { accessTokenMayNot, type Actor, type Listing, type ListRequest, type Credentials } from '../access/actor.ts';
import { basicUser } from './present.ts';
import { visibleUsers, type UserChange, type UserRepository, type UserRow } from './user-repository.ts';

export type UserService = ReturnType<typeof createUserService>;

const noProfile: UserProfile = {
  cvat_usage_reason: '',
  primary_role: '',
  planned_activities: [],
  data_types: [],
  discovery_source: '',
};

const profileOf = ({ profile }: UserRow): UserProfile => ({
  ...noProfile,
  // `changedProfile` writes this JSON.
  ...(JSON.parse(profile) as Partial<UserProfile>),
});

/** Undefined if the change has no field of the profile. */
function changedProfile(body: UserPatch, row: UserRow): string | undefined {
  const given = Object.entries(body).filter(([name]) => name in noProfile);
  return given.length === 0 ? undefined : JSON.stringify({ ...profileOf(row), ...Object.fromEntries(given) });
}

function presentFullUser(row: UserRow, baseUrl: string): User {
  return {
    ...basicUser(row, baseUrl),
    email: row.email,
    groups: [row.group_name],
    is_staff: row.is_staff === 1,
    is_superuser: row.is_superuser === 1,
    is_active: row.is_active === 1,
    last_login: row.last_login,
    date_joined: row.date_joined,
    has_analytics_access: row.is_superuser === 1 || row.has_analytics_access === 1,
    ...profileOf(row),
    email_verified: null,
    created_via: null,
  };
}

/** Without the password and the profile. */
export const userSnapshot = ({ users }: { readonly users: Pick<UserRepository, 'get'> }) =>
  snapshotOf(users.get, (row) => {
    const { url: _url, id: _id, last_login: _login, ...columns } = presentFullUser(row, '');
    return {
      place: () => placeOf(undefined),
      columns: { ...columns, groups: row.group_name, planned_activities: undefined, data_types: undefined },
      present: (baseUrl) => presentFullUser(row, baseUrl),
    };
  });

const fieldActions: Readonly<Record<keyof UserPatch, ActionOf<'user'>>> = {
  username: 'update:name',
  first_name: 'update:name',
  last_name: 'update:name',
  email: 'update:email',
  groups: 'update:permissions',
  is_staff: 'update:permissions',
  is_superuser: 'update:permissions',
  is_active: 'update:permissions',
  has_analytics_access: 'update:permissions',
  cvat_usage_reason: 'update:name',
  primary_role: 'update:name',
  planned_activities: 'update:name',
  data_types: 'update:name',
  discovery_source: 'update:name',
};

/** Users as the API returns them. E-mail, groups and dates are only for the user and for admins. */
export function createUserService({
  users,
  memberships,
  changes,
  onEnded,
}: {
  readonly users: UserRepository;
  readonly memberships: { idsOfUser(userId: number): number[] };
  readonly changes: Changes<'membership' | 'user'>;
  /** Called when the user may no longer sign in, to end open requests. */
  readonly onEnded: (userId: number) => void;
}) {
  const present = (actor: Actor, row: UserRow): User | BasicUser =>
    isAdmin(actor) || row.id === actor.userId ? presentFullUser(row, actor.baseUrl) : basicUser(row, actor.baseUrl);

  /** The organization is one that both belong to; it does not matter which. */
  function factsOf(actor: Actor, row: UserRow): AccessFacts {
    const isColleague = !isAdmin(actor) && row.id !== actor.userId && users.shareOrganization(actor.userId, row.id);
    return { organizationId: isColleague ? 0 : null, role: isColleague ? 'worker' : null, people: { self: row.id } };
  }

  function open(actor: Actor, id: number, ...actions: ActionOf<'user'>[]): UserRow {
    const row = orNotFound(users.get(id));
    const facts = factsOf(actor, row);
    for (const action of ['view' as const, ...actions]) requireAllowed(actor, 'user', action, facts);
    return row;
  }

  function requireUnique(row: UserRow, { username, email }: UserPatch): void {
    const named = username === undefined ? undefined : users.named(username);
    if (named && named.id !== row.id) throw invalidField('username', 'A user with that username already exists.');
    const mailed = email === undefined || email === '' ? undefined : users.withEmail(email);
    if (mailed && mailed.id !== row.id) {
      throw invalidField('email', 'A user is already registered with this e-mail address.');
    }
  }

  /** Prevents a state without an administrator, in which no one could restore access. */
  function requireOtherAdmin(id: number, field: string): void {
    if (users.hasOtherAdmin(id)) return;
    const message =
      'This is the last administrator of the workbench. Make another user an administrator first. Nothing was changed.';
    throw invalidField(field, message);
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<User | BasicUser> {
      const { count, results } = users.list(request, visibleUsers(actor));
      // In lists CVAT returns full users only to administrators; other callers get even themselves in short form.
      const full = isAdmin(actor);
      return { count, results: results.map((row) => (full ? presentFullUser : basicUser)(row, actor.baseUrl)) };
    },
    self: (actor: Actor): User => presentFullUser(orNotFound(users.get(actor.userId)), actor.baseUrl),
    get: (actor: Actor, id: number): User | BasicUser => present(actor, open(actor, id)),

    update(actor: Actor, credentials: Credentials, id: number, body: UserPatch): User | BasicUser {
      if (credentials.kind === 'access-token') throw accessTokenMayNot('change an account');
      const fields = Object.keys(body) as (keyof UserPatch)[];
      const row = open(actor, id, ...fields.map((field) => fieldActions[field]));
      if (body.is_active === false && id === actor.userId) throw shutsOneselfOut();
      changes.run(actor, { users: [id] }, () => {
        requireUnique(row, body);
        users.update(id, userChange(body, row));
        if (isAdministrator(row) && !isAdministrator(users.get(id))) requireOtherAdmin(id, 'is_superuser');
      });
      if (body.is_active === false) onEnded(id);
      return present(actor, open(actor, id));
    },

    /** Objects that the user owned or was assigned to stay, without an owner or assignee. */
    remove(actor: Actor, id: number): void {
      const row = open(actor, id, 'delete');
      changes.run(actor, {}, () => {
        if (isAdministrator(row)) requireOtherAdmin(id, 'id');
        changes.deleting(actor, 'membership', memberships.idsOfUser(id));
        changes.deleting(actor, 'user', [id]);
        users.remove(id);
      });
      onEnded(id);
    },
  };
}

const shutsOneselfOut = () =>
  invalidField(
    'is_active',
    'You cannot deactivate your own account, because you could not reactivate it. Ask another administrator. Nothing was changed.',
  );

const isAdministrator = (row: UserRow | undefined): boolean =>
  row?.is_superuser === 1 && row.is_active === 1 && row.group_name === 'admin';

/**
 * The highest of several groups counts. A superuser is put into group `admin`, because no other group may administrate.
 */
function userChange(body: UserPatch, row: UserRow): UserChange {
  const { groups } = body;
  const highest = (['admin', 'user', 'worker'] as const).find((group) => groups?.includes(group));
  const group = body.is_superuser === true ? 'admin' : highest;
  const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));
  const change = {
    username: body.username,
    first_name: body.first_name,
    last_name: body.last_name,
    email: body.email,
    group_name: group,
    is_staff: flag(body.is_staff),
    is_superuser: flag(body.is_superuser),
    is_active: flag(body.is_active),
    has_analytics_access: flag(body.has_analytics_access),
    profile: changedProfile(body, row),
    // A placeholder that an admin activates becomes a normal account.
    is_placeholder: body.is_active === true ? 0 : undefined,
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as UserChange;
}
