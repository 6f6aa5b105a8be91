import type { Migration } from './migration.ts';

/** Number of crashes caused by Limner itself, not by a kill or a power failure, during this request. */
const ownEnds = 'ALTER TABLE request ADD COLUMN own_ends INTEGER NOT NULL DEFAULT 0;';

export const countOwnEnds: Migration = {
  version: 9,
  name: 'count-own-ends',
  up: (database) => database.exec(ownEnds),
};
