import type { serverOperations } from '../../../preload/contract/operations/server.ts';
import type { UserService } from '../../people/users/user-service.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

type UserPart = Pick<typeof serverOperations, 'listUsers' | 'self' | 'getUser'>;

export function createUserHandlers(users: UserService): HandlersOf<UserPart> {
  return {
    listUsers: listHandler(users.list),
    self: ({ actor }) => users.self(actor),
    getUser: ({ actor, params }) => users.get(actor, params.id),
  };
}
