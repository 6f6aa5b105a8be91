import { invalidField } from '../../platform/errors.ts';
import type { InvitationRow } from './invitation-repository.ts';
import { isExpired } from './organization-presenters.ts';
import type { UserRepository, UserRow } from '../accounts/user-repository.ts';
import { noPassword } from '../auth/password-hash.ts';
import type { OrganizationDependencies } from './organization-dependencies.ts';

interface Person {
  readonly username: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

/**
 * Turns an invitation's placeholder into a user's account. The key replaces the mail that is never sent, so knowing
 * only the address is not sufficient.
 */
export function createInvitedAccounts(
  dependencies: Pick<OrganizationDependencies, 'invitations' | 'memberships' | 'users' | 'changes' | 'clock'> & {
    readonly baseUrl: () => string;
  },
) {
  const { invitations, memberships, users, changes, clock, baseUrl } = dependencies;

  function pending(key: string): InvitationRow {
    const invitation = invitations.get(key);
    const isPlaceholder = invitation !== undefined && users.get(invitation.user_id)?.is_placeholder === 1;
    if (!invitation || !isPlaceholder || invitation.is_active === 1) {
      throw invalidField('invitation', 'There is no open invitation with this key.');
    }
    if (isExpired(invitation, clock())) {
      throw invalidField('invitation', 'This invitation has expired. Ask its sender to send it again.');
    }
    return invitation;
  }

  return {
    /** Also accepts the invitation. Returns the account's id. */
    takeOver(key: string, person: Person, passwordHash: string): number {
      const invitation = pending(key);
      const { user_id: id, membership_id: membershipId } = invitation;
      const placeholder = users.get(id);
      if (person.email !== '' && person.email.toLowerCase() !== placeholder?.email.toLowerCase()) {
        throw invalidField('email', 'The invitation was sent to another e-mail address.');
      }
      const named = users.named(person.username);
      if (named && named.id !== id) throw invalidField('username', 'A user with that username already exists.');
      const { username, first_name, last_name } = person;
      changes.run({ userId: id, baseUrl: baseUrl() }, { memberships: [membershipId] }, () => {
        users.update(id, {
          username,
          first_name,
          last_name,
          password_hash: passwordHash,
          is_active: 1,
          is_placeholder: 0,
        });
        memberships.activate(membershipId, clock());
        changes.created({ userId: id, baseUrl: baseUrl() }, 'user', [id]);
      });
      return id;
    },
  };
}

/** A user without a way to sign in, for an invited address without an account. */
export function addPlaceholder(users: UserRepository, email: string, now: string): UserRow {
  const name = email.slice(0, email.lastIndexOf('@')).replaceAll(/[^\w.@+-]/g, '_') || 'invited';
  let username = name.slice(0, 140);
  for (let number = 2; users.named(username); number += 1) username = `${name.slice(0, 140)}-${number}`;
  const id = users.insert({
    username,
    email,
    first_name: '',
    last_name: '',
    password_hash: noPassword,
    group_name: 'user',
    is_staff: 0,
    is_superuser: 0,
    date_joined: now,
  });
  users.update(id, { is_active: 0, is_placeholder: 1 });
  const user = users.get(id);
  if (!user) throw new Error(`User ${id} was not stored.`);
  return user;
}
