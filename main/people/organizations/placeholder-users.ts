import { noPassword } from '../auth/password-hash.ts';
import type { UserRepository, UserRow } from '../users/user-repository.ts';

/** A user without a way to sign in, for somebody who was invited and has no account yet. */
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
