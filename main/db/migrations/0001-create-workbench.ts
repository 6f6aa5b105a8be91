import type { Migration } from './migration.ts';

/**
 * Annotations belong to annotation sets, not to jobs. A job shows the shapes, tags and tracks of its `live` sets, so
 * - an import fills a `pending` set in small transactions and becomes visible at once by changing one row;
 * - replacing or clearing annotations changes one row too; `discarded` sets are emptied in the background;
 * - a crash in an import leaves nothing visible, only a pending set that the next start discards.
 *
 * `shape_frame` is the index of shapes by frame, as a table: a bulk import fills it last, in order, which is three
 * times faster than updating an index while rows arrive in random order. A shape that is not in it does not exist.
 */
const annotations = `
CREATE TABLE annotation_set (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER REFERENCES job (id) ON DELETE SET NULL,
  state TEXT NOT NULL CHECK (state IN ('live', 'pending', 'discarded')),
  request_id TEXT
) STRICT;
CREATE INDEX annotation_set_job ON annotation_set (job_id, state);

CREATE TABLE shape (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  set_id INTEGER NOT NULL,
  frame INTEGER NOT NULL,
  label_id INTEGER NOT NULL,
  type INTEGER NOT NULL,
  source INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  z_order INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  rotation REAL NOT NULL,
  score REAL NOT NULL,
  area REAL,
  parent_id INTEGER,
  points BLOB NOT NULL,
  attributes TEXT
) STRICT;
CREATE TABLE shape_frame (
  set_id INTEGER NOT NULL,
  frame INTEGER NOT NULL,
  shape_id INTEGER NOT NULL,
  PRIMARY KEY (set_id, frame, shape_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  set_id INTEGER NOT NULL,
  frame INTEGER NOT NULL,
  label_id INTEGER NOT NULL,
  source INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  attributes TEXT
) STRICT;
CREATE INDEX tag_frame ON tag (set_id, frame);

CREATE TABLE track (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  set_id INTEGER NOT NULL,
  frame INTEGER NOT NULL,
  label_id INTEGER NOT NULL,
  source INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  parent_id INTEGER,
  attributes TEXT
) STRICT;
CREATE INDEX track_set ON track (set_id);
CREATE INDEX track_parent ON track (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE tracked_shape (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  track_id INTEGER NOT NULL REFERENCES track (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  type INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  z_order INTEGER NOT NULL,
  rotation REAL NOT NULL,
  points BLOB NOT NULL,
  attributes TEXT
) STRICT;
CREATE INDEX tracked_shape_track ON tracked_shape (track_id, frame);

CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

const people = `
CREATE TABLE user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email TEXT NOT NULL DEFAULT '',
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  password_hash TEXT NOT NULL,
  group_name TEXT NOT NULL CHECK (group_name IN ('admin', 'user', 'worker')),
  is_active INTEGER NOT NULL DEFAULT 1,
  is_staff INTEGER NOT NULL DEFAULT 0,
  is_superuser INTEGER NOT NULL DEFAULT 0,
  date_joined TEXT NOT NULL,
  last_login TEXT
) STRICT;
CREATE TABLE session (
  key_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  csrf_token TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE auth_token (
  key_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  created_date TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE access_token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL UNIQUE,
  secret_hash TEXT NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  expiry_date TEXT,
  last_used_date TEXT,
  read_only INTEGER NOT NULL,
  revoked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE organization (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  contact TEXT NOT NULL DEFAULT '{}',
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE TABLE membership (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  organization_id INTEGER NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('worker', 'supervisor', 'maintainer', 'owner')),
  is_active INTEGER NOT NULL DEFAULT 1,
  joined_date TEXT,
  UNIQUE (user_id, organization_id)
) STRICT;
`;

const work = `
CREATE TABLE project (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  assignee_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  assignee_updated_date TEXT,
  bug_tracker TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'annotation',
  organization_id INTEGER REFERENCES organization (id) ON DELETE CASCADE,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;

CREATE TABLE media (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('images', 'video')),
  size INTEGER NOT NULL,
  chunk_size INTEGER NOT NULL,
  image_quality INTEGER NOT NULL,
  start_frame INTEGER NOT NULL,
  stop_frame INTEGER NOT NULL,
  frame_filter TEXT NOT NULL,
  sorting_method TEXT NOT NULL,
  -- 'local': below the data directory; 'share': used in place
  storage TEXT NOT NULL CHECK (storage IN ('local', 'share')),
  -- JSON of the video''s properties, null for images
  video TEXT,
  created_date TEXT NOT NULL
) STRICT;
CREATE TABLE frame (
  media_id INTEGER NOT NULL REFERENCES media (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  -- shown to people and written to files: relative, with '/'
  name TEXT NOT NULL,
  -- absolute path for media used in place; null when the file is below the media folder, under its name
  file TEXT,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  related TEXT,
  PRIMARY KEY (media_id, frame)
) STRICT, WITHOUT ROWID;
CREATE TABLE deleted_frame (
  media_id INTEGER NOT NULL REFERENCES media (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  PRIMARY KEY (media_id, frame)
) STRICT, WITHOUT ROWID;

CREATE TABLE task (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  project_id INTEGER REFERENCES project (id) ON DELETE CASCADE,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  assignee_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  assignee_updated_date TEXT,
  bug_tracker TEXT NOT NULL DEFAULT '',
  overlap INTEGER,
  segment_size INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'annotation',
  subset TEXT NOT NULL DEFAULT '',
  mode TEXT NOT NULL DEFAULT '',
  media_id INTEGER REFERENCES media (id),
  organization_id INTEGER REFERENCES organization (id) ON DELETE CASCADE,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE INDEX task_project ON task (project_id);
CREATE INDEX task_media ON task (media_id);

CREATE TABLE segment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  start_frame INTEGER NOT NULL,
  stop_frame INTEGER NOT NULL
) STRICT;
CREATE INDEX segment_task ON segment (task_id);
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  segment_id INTEGER NOT NULL REFERENCES segment (id) ON DELETE CASCADE,
  type TEXT NOT NULL DEFAULT 'annotation',
  assignee_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  assignee_updated_date TEXT,
  stage TEXT NOT NULL DEFAULT 'annotation',
  state TEXT NOT NULL DEFAULT 'new',
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE INDEX job_task ON job (task_id);

CREATE TABLE label (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER REFERENCES project (id) ON DELETE CASCADE,
  task_id INTEGER REFERENCES task (id) ON DELETE CASCADE,
  parent_id INTEGER REFERENCES label (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  color TEXT NOT NULL,
  type TEXT NOT NULL,
  svg TEXT,
  CHECK ((project_id IS NULL) <> (task_id IS NULL))
) STRICT;
CREATE INDEX label_project ON label (project_id);
CREATE INDEX label_task ON label (task_id);
CREATE UNIQUE INDEX label_name ON label (ifnull(project_id, 0), ifnull(task_id, 0), ifnull(parent_id, 0), name);
CREATE TABLE attribute_spec (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  label_id INTEGER NOT NULL REFERENCES label (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  mutable INTEGER NOT NULL,
  input_type TEXT NOT NULL,
  default_value TEXT NOT NULL,
  "values" TEXT NOT NULL,
  UNIQUE (label_id, name)
) STRICT;

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
  expiry_date TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX request_status ON request (status, created_date);

CREATE TABLE setting (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const createSchema: Migration = {
  version: 1,
  name: 'create-workbench',
  up: (database) => database.exec(people + work + annotations),
};
