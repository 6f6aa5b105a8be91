import type { Migration } from './migration.ts';

/**
 * Jobs that several users annotate independently, to be merged into one. A replica shows the frames of its parent,
 * whose segment it shares, and is deleted with it. `chosen` has the settings for merges of a task.
 */
const consensus = `
ALTER TABLE task ADD COLUMN consensus_replicas INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN parent_job_id INTEGER REFERENCES job (id) ON DELETE CASCADE;
CREATE INDEX job_parent ON job (parent_job_id) WHERE parent_job_id IS NOT NULL;

CREATE TABLE consensus_settings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL UNIQUE REFERENCES task (id) ON DELETE CASCADE,
  iou_threshold REAL NOT NULL DEFAULT 0.5,
  -- share of the replicas that must agree on an object
  quorum REAL NOT NULL DEFAULT 0.5
) STRICT;
`;

export const addConsensus: Migration = {
  version: 25,
  name: 'add-consensus',
  up: (database) => database.exec(consensus),
};
