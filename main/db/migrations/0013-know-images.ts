import type { Migration } from './migration.ts';

/** How an image that is used in place is known again; null for the others, and for those of before. */
const identity = 'ALTER TABLE frame ADD COLUMN identity TEXT';

export const knowImages: Migration = {
  version: 13,
  name: 'know-images',
  up: (database) => database.exec(identity),
};
