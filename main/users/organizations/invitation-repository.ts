import type { OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { equalFields, type ListDefinition } from '../../db/filters.ts';
import type { Store } from '../../db/store.ts';
import { userColumns } from '../accounts/present.ts';

export interface InvitationRow {
  readonly key: string;
  readonly membership_id: number;
  readonly owner_id: number | null;
  readonly created_date: string;
  readonly sent_date: string;
  readonly user_id: number;
  readonly organization_id: number;
  readonly organization_slug: string;
  readonly role: OrganizationRole;
  /** True (1) if the membership is accepted. */
  readonly is_active: number;
}

const select = `invitation.*, membership.user_id, membership.organization_id, membership.role, membership.is_active,
  organization.slug AS organization_slug, ${userColumns('invitee', 'user')}, ${userColumns('owner', 'owner')}`;
const from = `invitation
  JOIN membership ON membership.id = invitation.membership_id
  JOIN organization ON organization.id = membership.organization_id
  JOIN user invitee ON invitee.id = membership.user_id
  LEFT JOIN user owner ON owner.id = invitation.owner_id`;

export const invitationList: ListDefinition = {
  select,
  from,
  fields: {
    ...equalFields('membership', { number: ['organization_id', 'user_id'] }),
    created_date: { sql: 'invitation.created_date', type: 'date' },
    // Pages need a total order; the key identifies an invitation.
    id: { sql: 'invitation.key', type: 'text' },
    owner: { sql: 'owner.username', type: 'text', equality: true },
    accepted: { sql: 'membership.is_active', type: 'boolean', equality: true },
  },
  search: ['owner'],
  sort: '-created_date',
};

export type InvitationRepository = ReturnType<typeof createInvitationRepository>;

export function createInvitationRepository(database: Store) {
  const one = database.query(`SELECT ${select} FROM ${from} WHERE invitation.key = +?`);
  const insert = database.query(
    `INSERT INTO invitation (key, membership_id, owner_id, created_date, sent_date)
     VALUES (@key, @membership_id, @owner_id, @date, @date)`,
  );
  const renew = database.query('UPDATE invitation SET sent_date = ? WHERE key = +?');
  const remove = database.query('DELETE FROM invitation WHERE key = +?');

  return {
    get: (key: string) => one.get(key) as InvitationRow | undefined,
    insert(invitation: { key: string; membership_id: number; owner_id: number; date: string }): void {
      insert.run(invitation);
    },
    renew: (key: string, date: string) => void renew.run(date, key),
    remove: (key: string) => void remove.run(key),
  };
}
