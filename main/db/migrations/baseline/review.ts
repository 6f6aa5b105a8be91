/** Issues, guides, consensus and quality. */
export const reviewSchema = `
CREATE TABLE issue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  -- JSON array of numbers, as the client sent it
  position TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  assignee_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  resolved INTEGER NOT NULL DEFAULT 0,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE INDEX issue_job ON issue (job_id, frame);

CREATE TABLE comment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  message TEXT NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;
CREATE INDEX comment_issue ON comment (issue_id);

-- Annotation guide of a project or a task.
CREATE TABLE guide (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER UNIQUE REFERENCES project (id) ON DELETE CASCADE,
  task_id INTEGER UNIQUE REFERENCES task (id) ON DELETE CASCADE,
  markdown TEXT NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  CHECK ((project_id IS NULL) <> (task_id IS NULL))
) STRICT;

-- Files that guides contain.
CREATE TABLE asset (
  uuid TEXT PRIMARY KEY,
  guide_id INTEGER NOT NULL REFERENCES guide (id) ON DELETE CASCADE,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_guide ON asset (guide_id);

CREATE TABLE consensus_settings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL UNIQUE REFERENCES task (id) ON DELETE CASCADE,
  iou_threshold REAL NOT NULL DEFAULT 0.5,
  -- fraction of the replicas that must agree on an object
  quorum REAL NOT NULL DEFAULT 0.5
) STRICT;

-- Of a task or a project. A task may inherit the settings of its project.
CREATE TABLE quality_settings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER UNIQUE REFERENCES task (id) ON DELETE CASCADE,
  project_id INTEGER UNIQUE REFERENCES project (id) ON DELETE CASCADE,
  inherit INTEGER NOT NULL DEFAULT 0 CHECK (inherit IN (0, 1)),
  -- JSON: changed settings, by name
  chosen TEXT NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  CHECK ((task_id IS NULL) <> (project_id IS NULL))
) STRICT;

-- Of a task or a project. Reports of its jobs or tasks have it as their parent.
CREATE TABLE quality_report (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parent_id INTEGER REFERENCES quality_report (id) ON DELETE CASCADE,
  task_id INTEGER REFERENCES task (id) ON DELETE CASCADE,
  job_id INTEGER REFERENCES job (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES project (id) ON DELETE CASCADE,
  created_date TEXT NOT NULL,
  target_last_updated TEXT NOT NULL,
  gt_last_updated TEXT,
  assignee_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  summary TEXT NOT NULL,
  data TEXT NOT NULL,
  CHECK ((task_id IS NULL) <> (project_id IS NULL))
) STRICT;
CREATE INDEX quality_report_parent ON quality_report (parent_id);
CREATE INDEX quality_report_task ON quality_report (task_id, id);
CREATE INDEX quality_report_job ON quality_report (job_id, id);
CREATE INDEX quality_report_project ON quality_report (project_id, id);

CREATE TABLE quality_conflict (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id INTEGER NOT NULL REFERENCES quality_report (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  type TEXT NOT NULL,
  severity TEXT NOT NULL,
  -- JSON: [{obj_id, job_id, type, shape_type}, …]
  annotation_ids TEXT NOT NULL
) STRICT;
CREATE INDEX quality_conflict_report ON quality_conflict (report_id, frame);
`;
