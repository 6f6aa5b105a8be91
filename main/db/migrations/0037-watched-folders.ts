import type { Migration } from './migration.ts';

/** Folders whose new images join a task, with the files that were added or ignored. */
export const watchedFolders: Migration = {
  version: 37,
  name: 'watched-folders',
  up: (database) =>
    database.exec(`
CREATE TABLE watched_folder (
  task_id INTEGER PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  -- user whose permissions apply
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  origin TEXT NOT NULL,
  -- sentence that tells why nothing is added now
  problem TEXT
) STRICT;
CREATE INDEX watched_folder_owner ON watched_folder (owner_id);
CREATE TABLE watched_file (
  task_id INTEGER NOT NULL REFERENCES watched_folder (task_id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('present', 'added', 'ignored')),
  -- size and time of the change; another stamp tries an ignored file again
  stamp TEXT NOT NULL,
  PRIMARY KEY (task_id, name)
) STRICT, WITHOUT ROWID;
`),
};
