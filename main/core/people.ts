import type { Database } from '../db/open.ts';
import { invalidField } from '../platform/errors.ts';

export type People = ReturnType<typeof createPeople>;

/** Whether a user that a body names exists. */
export function createPeople(database: Database) {
  const one = database.prepare('SELECT 1 AS found FROM user WHERE id = ?');
  return {
    requireUser(field: string, id: number | null | undefined): void {
      if (id === null || id === undefined) return;
      if (one.get(id) === undefined) throw invalidField(field, `Invalid pk "${id}" - object does not exist.`);
    },
  };
}
