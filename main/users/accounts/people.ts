import { invalidField } from '../../platform/errors.ts';
import { forbidden, isAdmin, type Caller } from '../access/access-rules.ts';
import type { UserRepository } from './user-repository.ts';

export type People = ReturnType<typeof createPeople>;

export function createPeople(users: Pick<UserRepository, 'get' | 'shareOrganization'>) {
  return {
    /**
     * Requires a user to whom the actor may assign work: the actor or a visible user. Visible are members of shared
     * organizations; for an admin, all users.
     * @throws AppError 400 for an unknown user, 403 for one whom the actor cannot see
     */
    requireUser(actor: Caller, field: string, id: number | null | undefined): void {
      if (id === null || id === undefined) return;
      if (!users.get(id)) throw invalidField(field, `Invalid pk "${id}" - object does not exist.`);
      if (!isAdmin(actor) && id !== actor.userId && !users.shareOrganization(actor.userId, id)) throw forbidden();
    },
  };
}
