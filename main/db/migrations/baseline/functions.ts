/** Model functions, their deployments, calls and batches. */
export const functionsSchema = `
CREATE TABLE model_setting (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE model_project (
  name TEXT PRIMARY KEY,
  description TEXT NOT NULL,
  created_date TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The last successful deployment. A failed one changes only the message.
CREATE TABLE model_function (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  provider TEXT NOT NULL CHECK (provider IN ('docker', 'url')),
  project TEXT NOT NULL,
  -- JSON: metadata and spec without the values of environment variables
  document TEXT NOT NULL,
  -- JSON of these values, or of the headers sent to an address; sealed by platform/secrets.ts
  secrets TEXT NOT NULL,
  way TEXT CHECK (way IN ('image', 'handler', 'build')),
  -- configured image, running image
  image TEXT,
  running_image TEXT,
  is_image_made INTEGER NOT NULL DEFAULT 0,
  has_runtime INTEGER NOT NULL DEFAULT 0,
  -- JSON: commands to try; null: the image's own
  commands TEXT,
  directory TEXT,
  -- 1: the folder is a copy that Limner deletes with the function
  is_directory_own INTEGER NOT NULL DEFAULT 0,
  -- JSON array of permission ids
  grants TEXT NOT NULL DEFAULT '[]',
  state TEXT NOT NULL
    CHECK (state IN ('building', 'ready', 'error', 'unhealthy', 'scaledToZero', 'stopped', 'imported')),
  message TEXT NOT NULL DEFAULT '',
  -- JSON array of sentences
  warnings TEXT NOT NULL DEFAULT '[]',
  container_id TEXT,
  port INTEGER,
  -- JSON array of UUIDs or indexes
  cards TEXT NOT NULL DEFAULT '[]',
  -- URL of a function that runs elsewhere
  address TEXT,
  gpu_memory_mib INTEGER,
  measured_gpu_memory_mib INTEGER,
  -- null: the value of the configuration; 0: never
  idle_stop_seconds INTEGER,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  measured_cards TEXT NOT NULL DEFAULT '{}',
  version INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Sources of deployments, for comparison and restore. The image of each has its own tag in Docker Engine.
CREATE TABLE model_version (
  function_name TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- JSON: columns of the function after the deployment, with the sealed values of its variables
  deployed TEXT NOT NULL,
  -- JSON: files of the handler; null if unknown
  files TEXT,
  created_date TEXT NOT NULL,
  PRIMARY KEY (function_name, version)
) STRICT, WITHOUT ROWID;

-- Nuclio dashboards on other computers.
CREATE TABLE model_dashboard (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL UNIQUE,
  -- Authorization header; sealed; empty: none
  secret TEXT NOT NULL,
  namespace TEXT NOT NULL,
  project TEXT NOT NULL,
  invoke TEXT NOT NULL CHECK (invoke IN ('direct', 'dashboard')),
  created_date TEXT NOT NULL
) STRICT;

-- Functions whose calls agents of the SDK answer.
CREATE TABLE model_native (
  -- never reused: an agent of a deleted function must not answer for another
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  visibility TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- JSON: labels, prompts or shape types, by kind
  fields TEXT NOT NULL,
  owner_id INTEGER,
  -- last request of an agent
  seen_date TEXT,
  created_date TEXT NOT NULL
) STRICT;

-- Model files, which run in the process of Limner. The files are in data/weights/<name>/.
CREATE TABLE model_weights (
  name TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  file_name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  -- JSON
  facts TEXT NOT NULL,
  decoder_file_name TEXT,
  -- JSON
  decoder_facts TEXT,
  -- JSON: input and output of the model
  description TEXT NOT NULL,
  owner_id INTEGER,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  is_in_container INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Decoder of a function that returns features.
CREATE TABLE model_decoder (
  function_name TEXT PRIMARY KEY,
  file_name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  -- JSON
  facts TEXT NOT NULL,
  created_date TEXT NOT NULL
) STRICT;

-- Progress of an automatic annotation, written with its results, so that it continues after the last stored frame.
CREATE TABLE model_run (
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  -- 0: the entire task
  job_id INTEGER NOT NULL,
  function_id TEXT NOT NULL,
  -- creation date of the request that got this far
  request_date TEXT NOT NULL,
  -- frames below are done
  next_frame INTEGER NOT NULL,
  -- JSON of the counts so far
  report TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  PRIMARY KEY (task_id, job_id, function_id)
) STRICT, WITHOUT ROWID;

-- Batches of calls.
CREATE TABLE model_batch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  function_id TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('queued', 'running', 'waiting', 'paused', 'finished', 'failed', 'cancelled', 'undone')),
  priority INTEGER NOT NULL DEFAULT 0,
  -- JSON: threshold, mapping and other parameters
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

-- The number of completed frames is written with their results, so that a batch continues after the last one.
CREATE TABLE model_batch_part (
  batch_id INTEGER NOT NULL REFERENCES model_batch (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  -- null: the entire task
  job_id INTEGER,
  -- JSON: [first, last] pairs
  frames TEXT NOT NULL,
  frame_count INTEGER NOT NULL,
  done_count INTEGER NOT NULL DEFAULT 0,
  prediction_set_id INTEGER REFERENCES prediction_set (id) ON DELETE SET NULL,
  PRIMARY KEY (batch_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_batch_part_task ON model_batch_part (task_id);
CREATE INDEX model_batch_part_predictions ON model_batch_part (prediction_set_id)
  WHERE prediction_set_id IS NOT NULL;

-- Objects that a batch created, for its undo.
CREATE TABLE model_batch_object (
  batch_id INTEGER NOT NULL REFERENCES model_batch (id) ON DELETE CASCADE,
  task_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('shape', 'tag')),
  object_id INTEGER NOT NULL,
  PRIMARY KEY (batch_id, task_id, kind, object_id)
) STRICT, WITHOUT ROWID;

-- Durations of calls per function version and minute.
CREATE TABLE model_minute (
  function_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- minutes since 1970
  minute INTEGER NOT NULL,
  call_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  -- JSON: number of calls per duration step
  steps TEXT NOT NULL,
  total_ms REAL NOT NULL,
  -- part of total_ms before the input was sent to the function
  queue_ms REAL NOT NULL,
  -- of its container; null if it was not measured
  cpu_cores REAL,
  memory_bytes INTEGER,
  gpu_memory_bytes INTEGER,
  PRIMARY KEY (function_id, version, minute)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_minute_age ON model_minute (minute);
`;
