/** Projects, tasks, jobs, media, labels, and the totals and texts that lists need. */
export const workSchema = `
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
  updated_date TEXT NOT NULL,
  target_storage_id INTEGER,
  source_storage_id INTEGER
) STRICT;
CREATE INDEX project_organization ON project (organization_id) WHERE organization_id IS NOT NULL;

-- Source and target storages of projects and tasks: always on this computer.
CREATE TABLE storage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  location TEXT NOT NULL CHECK (location = 'local')
) STRICT;

-- Images or a video of one task.
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
  -- JSON: properties of the video; null for images
  video TEXT,
  created_date TEXT NOT NULL,
  zip_chunks INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Images of media. identity recognizes an image used in place; null for others. related is JSON.
CREATE TABLE frame (
  media_id INTEGER NOT NULL REFERENCES media (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  -- displayed and exported: relative, with '/'
  name TEXT NOT NULL,
  -- absolute path of media used in place; null for a file of this name in the media folder
  file TEXT,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  related TEXT,
  identity TEXT,
  PRIMARY KEY (media_id, frame)
) STRICT, WITHOUT ROWID;

-- Frames that the user deleted. Their images remain.
CREATE TABLE deleted_frame (
  media_id INTEGER NOT NULL REFERENCES media (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  PRIMARY KEY (media_id, frame)
) STRICT, WITHOUT ROWID;

-- A task has the organization of its project. Triggers ensure this when a task is created or moved.
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
  updated_date TEXT NOT NULL,
  target_storage_id INTEGER,
  source_storage_id INTEGER,
  consensus_replicas INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX task_project ON task (project_id);
CREATE INDEX task_media ON task (media_id);
CREATE INDEX task_organization ON task (organization_id) WHERE organization_id IS NOT NULL;
CREATE INDEX task_name ON task (name COLLATE NOCASE, id DESC);
CREATE INDEX task_updated ON task (updated_date);
CREATE INDEX task_status ON task (status);
CREATE INDEX task_owner ON task (owner_id);
CREATE INDEX task_assignee ON task (assignee_id);
CREATE INDEX task_search ON task (
  id, name || char(10) || subset || char(10) || bug_tracker, project_id, owner_id, assignee_id, organization_id, status,
  mode, media_id
);

-- Frames of a job: a range, or the JSON list frames. disabled_frames is JSON.
CREATE TABLE segment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  start_frame INTEGER NOT NULL,
  stop_frame INTEGER NOT NULL,
  frames TEXT,
  disabled_frames TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX segment_task ON segment (task_id);

-- project_id repeats that of the task, so that jobs of a project are found without reading its tasks.
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
  updated_date TEXT NOT NULL,
  project_id INTEGER,
  parent_job_id INTEGER REFERENCES job (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX job_task ON job (task_id);
CREATE INDEX job_project ON job (project_id);
CREATE INDEX job_updated ON job (updated_date);
CREATE INDEX job_state ON job (state);
CREATE INDEX job_stage ON job (stage);
CREATE INDEX job_assignee ON job (assignee_id);
CREATE INDEX job_parent ON job (parent_job_id) WHERE parent_job_id IS NOT NULL;

-- Of a project or a task. Sublabels of a skeleton have a parent.
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

-- Attributes of labels.
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

-- Totals of a project for lists. Triggers update them, which includes cascades. A subtraction never creates a row,
-- because rows that are deleted with their project subtract from totals that are deleted too.
CREATE TABLE project_total (
  project_id INTEGER PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
  task_count INTEGER NOT NULL DEFAULT 0,
  -- tasks that have data
  media_count INTEGER NOT NULL DEFAULT 0,
  job_count INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Named subsets of a project, with their number of tasks.
CREATE TABLE project_subset (
  project_id INTEGER NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  subset TEXT NOT NULL,
  task_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, subset)
) STRICT, WITHOUT ROWID;

-- Trigram index of the texts of tasks. They are stored only in task.
CREATE VIRTUAL TABLE task_text USING fts5 (
  name, subset, bug_tracker, content = 'task', content_rowid = 'id', tokenize = 'trigram', columnsize = 0
);

CREATE TRIGGER webhook_project_goes BEFORE DELETE ON project BEGIN
  UPDATE webhook SET stage = 'draining', project_id = NULL, organization_id = NULL
  WHERE project_id = OLD.id AND stage = 'live';
END;

CREATE TRIGGER project_total_comes AFTER INSERT ON project BEGIN
  INSERT INTO project_total (project_id) VALUES (NEW.id);
END;

CREATE TRIGGER task_total_comes AFTER INSERT ON task BEGIN
  UPDATE project_total SET task_count = task_count + 1, media_count = media_count + (NEW.media_id IS NOT NULL)
    WHERE project_id = NEW.project_id;
  INSERT INTO project_subset (project_id, subset, task_count)
    SELECT NEW.project_id, NEW.subset, 1 WHERE NEW.project_id IS NOT NULL AND NEW.subset <> ''
    ON CONFLICT DO UPDATE SET task_count = task_count + 1;
END;

CREATE TRIGGER task_total_goes AFTER DELETE ON task BEGIN
  UPDATE project_total SET task_count = task_count - 1, media_count = media_count - (OLD.media_id IS NOT NULL)
    WHERE project_id = OLD.project_id;
  UPDATE project_subset SET task_count = task_count - 1 WHERE project_id = OLD.project_id AND subset = OLD.subset;
  DELETE FROM project_subset WHERE project_id = OLD.project_id AND subset = OLD.subset AND task_count = 0;
END;

CREATE TRIGGER task_total_changes AFTER UPDATE OF project_id, subset, media_id ON task
  WHEN OLD.project_id IS NOT NEW.project_id OR OLD.subset <> NEW.subset OR OLD.media_id IS NOT NEW.media_id
BEGIN
  UPDATE project_total SET task_count = task_count - 1, media_count = media_count - (OLD.media_id IS NOT NULL)
    WHERE project_id = OLD.project_id;
  UPDATE project_subset SET task_count = task_count - 1 WHERE project_id = OLD.project_id AND subset = OLD.subset;
  DELETE FROM project_subset WHERE project_id = OLD.project_id AND subset = OLD.subset AND task_count = 0;
  UPDATE project_total SET task_count = task_count + 1, media_count = media_count + (NEW.media_id IS NOT NULL)
    WHERE project_id = NEW.project_id;
  INSERT INTO project_subset (project_id, subset, task_count)
    SELECT NEW.project_id, NEW.subset, 1 WHERE NEW.project_id IS NOT NULL AND NEW.subset <> ''
    ON CONFLICT DO UPDATE SET task_count = task_count + 1;
  UPDATE job SET project_id = NEW.project_id WHERE task_id = NEW.id AND project_id IS NOT NEW.project_id;
END;

CREATE TRIGGER job_total_comes AFTER INSERT ON job BEGIN
  UPDATE project_total SET job_count = job_count + 1 WHERE project_id = NEW.project_id;
  UPDATE job SET project_id = (SELECT project_id FROM task WHERE id = NEW.task_id)
    WHERE id = NEW.id AND project_id IS NOT (SELECT project_id FROM task WHERE id = NEW.task_id);
END;

CREATE TRIGGER job_total_goes AFTER DELETE ON job BEGIN
  UPDATE project_total SET job_count = job_count - 1 WHERE project_id = OLD.project_id;
END;

CREATE TRIGGER job_total_changes AFTER UPDATE OF project_id ON job WHEN OLD.project_id IS NOT NEW.project_id
BEGIN
  UPDATE project_total SET job_count = job_count - 1 WHERE project_id = OLD.project_id;
  UPDATE project_total SET job_count = job_count + 1 WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER task_place_comes AFTER INSERT ON task
  WHEN NEW.organization_id IS NOT (SELECT organization_id FROM project WHERE id = NEW.project_id)
    AND NEW.project_id IS NOT NULL
BEGIN
  UPDATE task SET organization_id = (SELECT organization_id FROM project WHERE id = NEW.project_id) WHERE id = NEW.id;
END;

CREATE TRIGGER task_place_changes AFTER UPDATE OF project_id ON task
  WHEN NEW.organization_id IS NOT (SELECT organization_id FROM project WHERE id = NEW.project_id)
    AND NEW.project_id IS NOT NULL
BEGIN
  UPDATE task SET organization_id = (SELECT organization_id FROM project WHERE id = NEW.project_id) WHERE id = NEW.id;
END;

CREATE TRIGGER task_text_comes AFTER INSERT ON task BEGIN
  INSERT INTO task_text (rowid, name, subset, bug_tracker) VALUES (NEW.id, NEW.name, NEW.subset, NEW.bug_tracker);
END;

CREATE TRIGGER task_text_goes AFTER DELETE ON task BEGIN
  INSERT INTO task_text (task_text, rowid, name, subset, bug_tracker)
    VALUES ('delete', OLD.id, OLD.name, OLD.subset, OLD.bug_tracker);
END;

CREATE TRIGGER task_text_changes AFTER UPDATE OF name, subset, bug_tracker ON task
  WHEN OLD.name <> NEW.name OR OLD.subset <> NEW.subset OR OLD.bug_tracker <> NEW.bug_tracker
BEGIN
  INSERT INTO task_text (task_text, rowid, name, subset, bug_tracker)
    VALUES ('delete', OLD.id, OLD.name, OLD.subset, OLD.bug_tracker);
  INSERT INTO task_text (rowid, name, subset, bug_tracker) VALUES (NEW.id, NEW.name, NEW.subset, NEW.bug_tracker);
END;

CREATE TRIGGER project_storage_goes AFTER DELETE ON project BEGIN
  DELETE FROM storage WHERE id IN (OLD.target_storage_id, OLD.source_storage_id);
END;

CREATE TRIGGER task_storage_goes AFTER DELETE ON task BEGIN
  DELETE FROM storage WHERE id IN (OLD.target_storage_id, OLD.source_storage_id);
END;
`;
