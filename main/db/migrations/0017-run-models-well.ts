import type { Migration } from './migration.ts';

/** Measured memory of a function per GPU, and the number of its current deployment. */
const functions = `
-- JSON: MiB for each worker by the UUID of a card
ALTER TABLE model_function ADD COLUMN measured_cards TEXT NOT NULL DEFAULT '{}';
ALTER TABLE model_function ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
`;

/**
 * Batches of calls. The number of completed frames of a part is written in the transaction that stores their results,
 * so that a batch continues after the last one regardless of the interruption.
 */
const batches = `
CREATE TABLE model_batch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  function_id TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('queued', 'running', 'waiting', 'paused', 'finished', 'failed', 'cancelled', 'undone')),
  priority INTEGER NOT NULL DEFAULT 0,
  -- JSON: threshold, mapping and the like
  parameters TEXT NOT NULL,
  message TEXT NOT NULL DEFAULT '',
  -- JSON of the report so far: saved and dropped objects
  report TEXT NOT NULL,
  frame_count INTEGER NOT NULL,
  failed_count INTEGER NOT NULL DEFAULT 0,
  object_count INTEGER NOT NULL DEFAULT 0,
  created_date TEXT NOT NULL,
  started_date TEXT,
  finished_date TEXT
) STRICT;
CREATE INDEX model_batch_state ON model_batch (state, priority, id);

CREATE TABLE model_batch_part (
  batch_id INTEGER NOT NULL REFERENCES model_batch (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  -- null: the whole task
  job_id INTEGER,
  -- JSON: [first, last] pairs
  frames TEXT NOT NULL,
  frame_count INTEGER NOT NULL,
  done_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (batch_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_batch_part_task ON model_batch_part (task_id);

-- What the batch has made, for its undo.
CREATE TABLE model_batch_object (
  batch_id INTEGER NOT NULL REFERENCES model_batch (id) ON DELETE CASCADE,
  task_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('shape', 'tag')),
  object_id INTEGER NOT NULL,
  PRIMARY KEY (batch_id, task_id, kind, object_id)
) STRICT, WITHOUT ROWID;
`;

export const runModelsWell: Migration = {
  version: 17,
  name: 'run-models-well',
  up: (database) => database.exec(functions + batches),
};
