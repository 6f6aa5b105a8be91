import { AppError } from '../../platform/errors.ts';
import type { Actor } from '../access/actor.ts';
import type { UserRepository } from './user-repository.ts';

/**
 * The actor of background work: the user who requested it, without a context.
 * @throws AppError 403 if that account was deleted
 */
export function requester(
  users: Pick<UserRepository, 'get'>,
  request: { readonly owner_id: number | null; readonly origin: string },
): Actor {
  const user = request.owner_id === null ? undefined : users.get(request.owner_id);
  if (!user) throw new AppError('forbidden', 'The user who requested this was deleted. Nothing was changed.');
  return {
    userId: user.id,
    username: user.username,
    group: user.group_name,
    organization: { kind: 'all' },
    readOnly: false,
    baseUrl: request.origin,
  };
}
