/** Settings, background requests, the audit log, and copies in Git repositories. */
export const serviceSchema = `
CREATE TABLE setting (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Background requests. own_ends counts ends of the process, origin is the base URL for addresses in events.
CREATE TABLE request (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  target TEXT NOT NULL,
  subresource TEXT NOT NULL DEFAULT '',
  project_id INTEGER,
  task_id INTEGER,
  job_id INTEGER,
  organization_id INTEGER,
  format TEXT,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'started', 'failed', 'finished')),
  message TEXT NOT NULL DEFAULT '',
  progress REAL,
  parameters TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  report TEXT,
  result_file TEXT,
  result_name TEXT,
  result_id INTEGER,
  created_date TEXT NOT NULL,
  started_date TEXT,
  finished_date TEXT,
  expiry_date TEXT,
  own_ends INTEGER NOT NULL DEFAULT 0,
  origin TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX request_status ON request (status, created_date);

-- Ids of tasks that an import has reserved.
CREATE TABLE staged_task (
  id INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL
) STRICT;
CREATE INDEX staged_task_request ON staged_task (request_id);

-- Responses to saved changes, so that a repeated request does not change data twice.
CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The audit log. It references no table, because entries outlive their objects.
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

-- A project whose tasks are also in a folder of a Git repository.
CREATE TABLE git_project (
  project_id INTEGER PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  branch TEXT NOT NULL,
  folder TEXT NOT NULL,
  base TEXT,
  pulled_date TEXT,
  pushed_date TEXT,
  format TEXT
) STRICT;

-- A task whose annotations are also in a folder of a Git repository. base is the last common commit.
CREATE TABLE git_binding (
  task_id INTEGER PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  branch TEXT NOT NULL,
  folder TEXT NOT NULL,
  base TEXT,
  pulled_date TEXT,
  pushed_date TEXT,
  project_id INTEGER REFERENCES git_project (project_id) ON DELETE CASCADE,
  format TEXT
) STRICT;
CREATE INDEX git_binding_project ON git_binding (project_id) WHERE project_id IS NOT NULL;

-- Names of annotations in the repository, because ids are valid only in one store.
CREATE TABLE git_object (
  task_id INTEGER NOT NULL REFERENCES git_binding (task_id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('tag', 'shape', 'track')),
  object_id INTEGER NOT NULL,
  uid TEXT NOT NULL,
  PRIMARY KEY (task_id, kind, object_id)
) STRICT, WITHOUT ROWID;
`;
