/** Annotations, their removed versions, and predictions. */
export const annotationsSchema = `
-- Annotations belong to sets, not to jobs. A job shows its live sets. An import fills a pending set in small
-- transactions, and becomes visible by changing one row. A discarded set is emptied in the background, unless a change
-- keeps it for an undo.
CREATE TABLE annotation_set (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER REFERENCES job (id) ON DELETE SET NULL,
  state TEXT NOT NULL CHECK (state IN ('live', 'pending', 'discarded')),
  request_id TEXT,
  change_id INTEGER REFERENCES annotation_change (id) ON DELETE SET NULL,
  prediction_set_id INTEGER REFERENCES prediction_set (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX annotation_set_job ON annotation_set (job_id, state);
CREATE INDEX annotation_set_change ON annotation_set (change_id) WHERE change_id IS NOT NULL;
CREATE INDEX annotation_set_predictions ON annotation_set (prediction_set_id) WHERE prediction_set_id IS NOT NULL;

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

-- Index of shapes by frame, as a table: a bulk import fills it last, in order, which is three times faster than
-- updating an index in random order. A shape without an entry does not exist.
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

-- A track that a job boundary splits has one row per job: pieces of origin_id.
CREATE TABLE track (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  set_id INTEGER NOT NULL,
  frame INTEGER NOT NULL,
  label_id INTEGER NOT NULL,
  source INTEGER NOT NULL,
  group_id INTEGER NOT NULL,
  parent_id INTEGER,
  attributes TEXT,
  origin_id INTEGER,
  piece_count INTEGER
) STRICT;
CREATE INDEX track_set ON track (set_id);
CREATE INDEX track_parent ON track (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX track_origin ON track (origin_id) WHERE origin_id IS NOT NULL;

-- Keyframes of tracks.
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

-- Changes that can be undone until they expire. Undoing replace shows its hidden sets and hides the present ones;
-- add shows them in addition; remove hides its sets, which are live.
CREATE TABLE annotation_change (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('import', 'replace', 'clear', 'delete', 'label', 'take-back')),
  effect TEXT NOT NULL CHECK (effect IN ('replace', 'add', 'remove')),
  -- scope of the change: the labels of a project; a task, or one of its jobs
  project_id INTEGER REFERENCES project (id) ON DELETE CASCADE,
  task_id INTEGER REFERENCES task (id) ON DELETE CASCADE,
  job_id INTEGER REFERENCES job (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  object_count INTEGER NOT NULL,
  -- names of files or labels
  detail TEXT NOT NULL,
  -- JSON of labels that were deleted with their annotations
  labels TEXT,
  -- 1: labels that its objects may have were deleted since
  labels_gone INTEGER NOT NULL DEFAULT 0,
  created_date TEXT NOT NULL,
  expiry_date TEXT NOT NULL
) STRICT;
CREATE INDEX annotation_change_project ON annotation_change (project_id);
CREATE INDEX annotation_change_task ON annotation_change (task_id);
CREATE INDEX annotation_change_job ON annotation_change (job_id);
CREATE INDEX annotation_change_user ON annotation_change (user_id);

-- Results of a function, a file or a task, for comparison with annotations.
CREATE TABLE prediction_set (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('function', 'file', 'task')),
  -- function with its version, file name, or task name
  detail TEXT NOT NULL,
  format TEXT,
  state TEXT NOT NULL CHECK (state IN ('filling', 'ready')),
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE INDEX prediction_set_task ON prediction_set (task_id);

-- Of a task or a project. The settings of the latter contain its tasks and sets.
CREATE TABLE evaluation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER REFERENCES task (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES project (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- JSON: requested truth, frames, labels, mapping
  settings TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  request_id TEXT,
  created_date TEXT NOT NULL,
  finished_date TEXT,
  -- JSON: labels and counts; null until it is finished
  subject TEXT,
  -- columns of numbers of the frames and the truths
  truths BLOB,
  CHECK ((task_id IS NULL) <> (project_id IS NULL))
) STRICT;
CREATE INDEX evaluation_task ON evaluation (task_id);
CREATE INDEX evaluation_project ON evaluation (project_id);

CREATE TABLE evaluation_model (
  evaluation_id INTEGER NOT NULL REFERENCES evaluation (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  -- null if it was deleted, and for evaluations of projects
  prediction_set_id INTEGER REFERENCES prediction_set (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  -- JSON: measures, also by label, and curves
  measures TEXT,
  -- columns of numbers: results, and the truths they overlap
  facts BLOB,
  PRIMARY KEY (evaluation_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_model_predictions ON evaluation_model (prediction_set_id);
`;
