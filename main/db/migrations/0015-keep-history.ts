import type { Migration } from './migration.ts';

/**
 * History of changes with their users, written with the change. Without foreign keys: the history of deleted objects
 * stays, with the names of deleted users.
 */
const history = `
CREATE TABLE history_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  created_date TEXT NOT NULL,
  user_id INTEGER,
  username TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('create', 'update', 'delete')),
  kind TEXT NOT NULL,
  object_id TEXT NOT NULL,
  name TEXT NOT NULL,
  project_id INTEGER,
  task_id INTEGER,
  job_id INTEGER,
  organization_id INTEGER,
  -- JSON: a list of field, from, to
  changes TEXT NOT NULL
) STRICT;
CREATE INDEX history_entry_project ON history_entry (project_id, id);
CREATE INDEX history_entry_task ON history_entry (task_id, id);
CREATE INDEX history_entry_job ON history_entry (job_id, id);
CREATE INDEX history_entry_user ON history_entry (user_id, id);
`;

export const keepHistory: Migration = {
  version: 15,
  name: 'keep-history',
  up: (database) => database.exec(history),
};
