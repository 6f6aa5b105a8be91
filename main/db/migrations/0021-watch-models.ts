import type { Migration } from './migration.ts';

/** Prediction set for the results of a part; null if there is none, or if it was deleted since. */
const batches = `
ALTER TABLE model_batch_part
  ADD COLUMN prediction_set_id INTEGER REFERENCES prediction_set (id) ON DELETE SET NULL;
CREATE INDEX model_batch_part_predictions ON model_batch_part (prediction_set_id)
  WHERE prediction_set_id IS NOT NULL;
`;

/** Duration of calls per function version and minute, for as long as `models/numbers` keeps it. */
const numbers = `
CREATE TABLE model_minute (
  function_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- minutes since 1970
  minute INTEGER NOT NULL,
  call_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  -- JSON: how many calls fell into each of the steps of time
  steps TEXT NOT NULL,
  total_ms REAL NOT NULL,
  -- part of total_ms before the input was sent to the function
  queue_ms REAL NOT NULL,
  -- of its container; null where it was not seen
  cpu_cores REAL,
  memory_bytes INTEGER,
  PRIMARY KEY (function_id, version, minute)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_minute_age ON model_minute (minute);
`;

export const watchModels: Migration = {
  version: 21,
  name: 'watch-models',
  up: (database) => database.exec(batches + numbers),
};
