import type { Migration } from './migration.ts';

/**
 * Predictions belong to an annotation set that no job shows, so that imports, exports and readers of annotations work
 * with them too. A set without a prediction set and a job is deleted by the background removal.
 */
const predictions = `
CREATE TABLE prediction_set (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('function', 'file', 'task')),
  -- the function with its version, the name of the file, or that of the task
  detail TEXT NOT NULL,
  format TEXT,
  state TEXT NOT NULL CHECK (state IN ('filling', 'ready')),
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE INDEX prediction_set_task ON prediction_set (task_id);
ALTER TABLE annotation_set ADD COLUMN prediction_set_id INTEGER REFERENCES prediction_set (id) ON DELETE SET NULL;
CREATE INDEX annotation_set_predictions ON annotation_set (prediction_set_id) WHERE prediction_set_id IS NOT NULL;
`;

/** Stored results never change, even if their ground truth or predictions change later. */
const evaluations = `
CREATE TABLE evaluation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- JSON: truth, frames, labels, mapping, as they were asked for
  settings TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  request_id TEXT,
  created_date TEXT NOT NULL,
  finished_date TEXT,
  -- JSON: labels and counts; null until it is finished
  subject TEXT,
  -- numbers of the frames and the truths, in columns
  truths BLOB
) STRICT;
CREATE INDEX evaluation_task ON evaluation (task_id);
CREATE TABLE evaluation_model (
  evaluation_id INTEGER NOT NULL REFERENCES evaluation (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  prediction_set_id INTEGER REFERENCES prediction_set (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  -- JSON: measures, by label too, and curves
  measures TEXT,
  -- the results and which truths they overlap, in columns
  facts BLOB,
  PRIMARY KEY (evaluation_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_model_predictions ON evaluation_model (prediction_set_id);
`;

export const addEvaluations: Migration = {
  version: 16,
  name: 'add-evaluations',
  up: (database) => database.exec(predictions + evaluations),
};
