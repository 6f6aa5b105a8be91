import type { Migration } from './migration.ts';

/**
 * Model functions. A row describes the last successful deployment: a failed one does not change it, except for a
 * message. Containers belong to Docker Engine; a row stores the id of its container.
 */
const functions = `
CREATE TABLE model_setting (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE model_project (
  name TEXT PRIMARY KEY,
  description TEXT NOT NULL,
  created_date TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE model_function (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  provider TEXT NOT NULL CHECK (provider IN ('docker', 'url')),
  project TEXT NOT NULL,
  -- JSON: metadata and spec, unchanged except that the values of environment variables are removed
  document TEXT NOT NULL,
  -- JSON of those values, or of the headers sent to an address; sealed by platform/secrets.ts
  secrets TEXT NOT NULL,
  way TEXT CHECK (way IN ('image', 'handler', 'build')),
  -- the image that was named, and the one that runs
  image TEXT,
  running_image TEXT,
  is_image_made INTEGER NOT NULL DEFAULT 0,
  has_runtime INTEGER NOT NULL DEFAULT 0,
  -- JSON: commands to try; null: the image's own
  commands TEXT,
  directory TEXT,
  -- the folder is a copy that belongs to Limner
  is_directory_own INTEGER NOT NULL DEFAULT 0,
  -- JSON array of ids of demands
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
  -- of a function that runs elsewhere
  address TEXT,
  gpu_memory_mib INTEGER,
  measured_gpu_memory_mib INTEGER,
  -- null: the value of the configuration; 0: never
  idle_stop_seconds INTEGER,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;

CREATE TABLE model_dashboard (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL UNIQUE,
  -- the Authorization header; sealed; empty: none
  secret TEXT NOT NULL,
  namespace TEXT NOT NULL,
  project TEXT NOT NULL,
  invoke TEXT NOT NULL CHECK (invoke IN ('direct', 'dashboard')),
  created_date TEXT NOT NULL
) STRICT;
`;

/**
 * Progress of an automatic annotation, written together with its results. An interrupted run continues after the last
 * frame whose results are stored, and stores none twice.
 */
const runs = `
CREATE TABLE model_run (
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  -- 0: the whole task
  job_id INTEGER NOT NULL,
  function_id TEXT NOT NULL,
  -- when the request was made that got this far
  request_date TEXT NOT NULL,
  -- frames below are done
  next_frame INTEGER NOT NULL,
  -- JSON of the counts so far
  report TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  PRIMARY KEY (task_id, job_id, function_id)
) STRICT, WITHOUT ROWID;
`;

export const addFunctions: Migration = {
  version: 5,
  name: 'add-functions',
  up: (database) => database.exec(functions + runs),
};
