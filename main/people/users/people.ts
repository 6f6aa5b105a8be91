import { invalidField } from '../../platform/errors.ts';
import { forbidden, isAdmin, type Caller } from '../access/access-rules.ts';
import type { UserRepository } from './user-repository.ts';

export type People = ReturnType<typeof createPeople>;

/** The users that a body names as owner or assignee. */
export function createPeople(users: Pick<UserRepository, 'get' | 'shareOrganization'>) {
  return {
    /**
     * Work goes to oneself or to people whom one can see: the members of shared organizations; an admin sees everybody.
     * @throws AppError 400 for a user that is not there, 403 for one whom the actor cannot see
     */
    requireUser(actor: Caller, field: string, id: number | null | undefined): void {
      if (id === null || id === undefined) return;
      if (!users.get(id)) throw invalidField(field, `Invalid pk "${id}" - object does not exist.`);
      if (!isAdmin(actor) && id !== actor.userId && !users.shareOrganization(actor.userId, id)) throw forbidden();
    },
  };
}
