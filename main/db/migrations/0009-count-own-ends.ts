import type { Migration } from './migration.ts';

/** How often Limner ended by its own fault, and not by a kill or a power cut, while it did this. */
const ownEnds = 'ALTER TABLE request ADD COLUMN own_ends INTEGER NOT NULL DEFAULT 0;';

export const countOwnEnds: Migration = {
  version: 9,
  name: 'count-own-ends',
  up: (database) => database.exec(ownEnds),
};
