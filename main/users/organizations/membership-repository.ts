import type { OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { equalFields, type ListDefinition } from '../../db/filters.ts';
import type { Store } from '../../db/store.ts';
import { userColumns } from '../accounts/present.ts';

export interface MembershipRow {
  readonly id: number;
  readonly user_id: number;
  readonly organization_id: number;
  readonly role: OrganizationRole;
  readonly is_active: number;
  readonly joined_date: string | null;
  readonly invitation_key: string | null;
}

export type NewMembership = Omit<MembershipRow, 'id' | 'invitation_key'>;

const select = `membership.*, invitation.key AS invitation_key, ${userColumns('member', 'user')}`;
const from = `membership
  JOIN user member ON member.id = membership.user_id
  LEFT JOIN invitation ON invitation.membership_id = membership.id`;

export const membershipList: ListDefinition = {
  select,
  from,
  fields: {
    ...equalFields('membership', { number: ['organization_id'], text: ['role'] }),
    id: { sql: 'membership.id', type: 'number' },
    user: { sql: 'member.username', type: 'text', equality: true },
  },
  search: ['user', 'role'],
  sort: '-id',
};

export type MembershipRepository = ReturnType<typeof createMembershipRepository>;

export function createMembershipRepository(database: Store) {
  const one = database.query(`SELECT ${select} FROM ${from} WHERE membership.id = +?`);
  const ofUser = database.query('SELECT id FROM membership WHERE organization_id = +? AND user_id = +?');
  const ofOrganization = database.query('SELECT id FROM membership WHERE organization_id = +? ORDER BY id').pluck();
  const allOfUser = database.query('SELECT id FROM membership WHERE user_id = +? ORDER BY id').pluck();
  const insert = database.query(
    `INSERT INTO membership (user_id, organization_id, role, is_active, joined_date)
     VALUES (@user_id, @organization_id, @role, @is_active, @joined_date)`,
  );
  const setRole = database.query('UPDATE membership SET role = ? WHERE id = +?');
  const activate = database.query('UPDATE membership SET is_active = 1, joined_date = ? WHERE id = +?');
  const remove = database.query('DELETE FROM membership WHERE id = +?');

  return {
    get: (id: number) => one.get(id) as MembershipRow | undefined,
    /** True for an active or pending membership. */
    has: (organizationId: number, userId: number) => ofUser.get(organizationId, userId) !== undefined,
    idsOf: (organizationId: number) => ofOrganization.all(organizationId) as number[],
    idsOfUser: (userId: number) => allOfUser.all(userId) as number[],
    insert: (membership: NewMembership) => Number(insert.run(membership).lastInsertRowid),
    setRole: (id: number, role: OrganizationRole) => void setRole.run(role, id),
    activate: (id: number, date: string) => void activate.run(date, id),
    remove: (id: number) => void remove.run(id),
  };
}
