import type { Migration } from './migration.ts';

/**
 * Large updates and deletions of annotations that were received and are not yet applied, and media whose frames are
 * deleted in the background.
 */
export const stagedSaves: Migration = {
  version: 42,
  name: 'staged-saves',
  up: (database) =>
    database.exec(`
CREATE TABLE staged_save (
  id INTEGER PRIMARY KEY,
  -- JSON: actor, action and target
  save TEXT NOT NULL,
  -- A save that is not complete is discarded at the next start; a complete one is applied.
  is_complete INTEGER NOT NULL DEFAULT 0 CHECK (is_complete IN (0, 1))
) STRICT;
CREATE TABLE staged_portion (
  id INTEGER PRIMARY KEY,
  save_id INTEGER NOT NULL REFERENCES staged_save (id) ON DELETE CASCADE,
  -- JSON: tags, shapes and tracks
  data TEXT NOT NULL
) STRICT;
CREATE INDEX staged_portion_save ON staged_portion (save_id);
CREATE TABLE discarded_media (
  media_id INTEGER PRIMARY KEY REFERENCES media (id) ON DELETE CASCADE
) STRICT;
`),
};
