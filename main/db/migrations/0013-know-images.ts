import type { Migration } from './migration.ts';

/** Identity of an image used in place; null for others, and for older rows. */
const identity = 'ALTER TABLE frame ADD COLUMN identity TEXT';

export const knowImages: Migration = {
  version: 13,
  name: 'know-images',
  up: (database) => database.exec(identity),
};
