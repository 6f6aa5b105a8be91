import type { UserRepository } from '../users/user-repository.ts';
import type { MembershipRepository } from './membership-repository.ts';

interface Repositories {
  readonly memberships: MembershipRepository;
  readonly users: UserRepository;
}

/** Removes a membership with its invitation, and a placeholder account that no other organization waits for. */
export function removeMembership(
  { memberships, users }: Repositories,
  { id, user_id: userId }: { readonly id: number; readonly user_id: number },
): void {
  memberships.remove(id);
  if (users.get(userId)?.is_placeholder === 1 && memberships.countOf(userId) === 0) users.remove(userId);
}
