import type { Migration } from './migration.ts';

/** Number of crashes caused by Limner itself, not by a kill or a power failure, during this request. */
const crashMarkers = 'ALTER TABLE request ADD COLUMN own_ends INTEGER NOT NULL DEFAULT 0;';

export const countCrashMarkers: Migration = {
  version: 9,
  name: 'count-own-ends',
  up: (database) => database.exec(crashMarkers),
};
