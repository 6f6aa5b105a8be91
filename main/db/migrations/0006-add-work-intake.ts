import type { Migration } from './migration.ts';

/**
 * Segments of ground-truth jobs: some frames of the task instead of all between two. Also tasks that an import is still
 * creating: their ids are allocated before their rows exist, so that media are written to their final folder. The table
 * finds leftovers of a crash.
 */
const staging = `
-- JSON array of task-relative numbers in order; null: every frame from start to stop
ALTER TABLE segment ADD COLUMN frames TEXT;
-- JSON array: frames that count no longer for validation
ALTER TABLE segment ADD COLUMN disabled_frames TEXT NOT NULL DEFAULT '[]';

CREATE TABLE staged_task (
  id INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL
) STRICT;
CREATE INDEX staged_task_request ON staged_task (request_id);
`;

export const addWorkIntake: Migration = {
  version: 6,
  name: 'add-work-intake',
  up: (database) => database.exec(staging),
};
