import type { Migration } from './migration.ts';

/** An evaluation is of a task, or of a project; the settings then contain its tasks and sets. */
const evaluations = `
CREATE TABLE evaluation_of (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER REFERENCES task (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES project (id) ON DELETE CASCADE,
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
  truths BLOB,
  CHECK ((task_id IS NULL) <> (project_id IS NULL))
) STRICT;
INSERT INTO evaluation_of
  SELECT id, task_id, NULL, name, kind, settings, owner_id, request_id, created_date, finished_date, subject, truths
  FROM evaluation;
CREATE TABLE evaluation_model_of (
  evaluation_id INTEGER NOT NULL REFERENCES evaluation_of (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  -- null where it was deleted, and where a project is measured
  prediction_set_id INTEGER REFERENCES prediction_set (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  -- JSON: measures, by label too, and curves
  measures TEXT,
  -- the results and which truths they overlap, in columns
  facts BLOB,
  PRIMARY KEY (evaluation_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO evaluation_model_of
  SELECT evaluation_id, position, prediction_set_id, name, measures, facts FROM evaluation_model;
DROP TABLE evaluation_model;
DROP TABLE evaluation;
ALTER TABLE evaluation_of RENAME TO evaluation;
ALTER TABLE evaluation_model_of RENAME TO evaluation_model;
CREATE INDEX evaluation_task ON evaluation (task_id);
CREATE INDEX evaluation_project ON evaluation (project_id);
CREATE INDEX evaluation_model_predictions ON evaluation_model (prediction_set_id);
`;

/** Settings and reports belong to a task, or to a project. A task of a project may inherit the project's settings. */
const quality = `
CREATE TABLE quality_settings_of (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER UNIQUE REFERENCES task (id) ON DELETE CASCADE,
  project_id INTEGER UNIQUE REFERENCES project (id) ON DELETE CASCADE,
  inherit INTEGER NOT NULL DEFAULT 0 CHECK (inherit IN (0, 1)),
  -- JSON: the choices, by name
  chosen TEXT NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  CHECK ((task_id IS NULL) <> (project_id IS NULL))
) STRICT;
-- Settings without changes inherit those of the project, which has none yet.
INSERT INTO quality_settings_of
  SELECT settings.id, task_id, NULL, task.project_id IS NOT NULL AND chosen = '{}', chosen, settings.created_date,
    settings.updated_date
  FROM quality_settings settings JOIN task ON task.id = task_id;
DROP TABLE quality_settings;
ALTER TABLE quality_settings_of RENAME TO quality_settings;

CREATE TABLE quality_report_of (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parent_id INTEGER REFERENCES quality_report_of (id) ON DELETE CASCADE,
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
INSERT INTO quality_report_of
  SELECT id, parent_id, task_id, job_id, NULL, created_date, target_last_updated, gt_last_updated, assignee_id, summary,
    data FROM quality_report ORDER BY id;
CREATE TABLE quality_conflict_of (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id INTEGER NOT NULL REFERENCES quality_report_of (id) ON DELETE CASCADE,
  frame INTEGER NOT NULL,
  type TEXT NOT NULL,
  severity TEXT NOT NULL,
  -- JSON: [{obj_id, job_id, type, shape_type}, …]
  annotation_ids TEXT NOT NULL
) STRICT;
INSERT INTO quality_conflict_of SELECT id, report_id, frame, type, severity, annotation_ids FROM quality_conflict;
DROP TABLE quality_conflict;
DROP TABLE quality_report;
ALTER TABLE quality_report_of RENAME TO quality_report;
ALTER TABLE quality_conflict_of RENAME TO quality_conflict;
CREATE INDEX quality_report_parent ON quality_report (parent_id);
CREATE INDEX quality_report_task ON quality_report (task_id, id);
CREATE INDEX quality_report_job ON quality_report (job_id, id);
CREATE INDEX quality_report_project ON quality_report (project_id, id);
CREATE INDEX quality_conflict_report ON quality_conflict (report_id, frame);
`;

export const measureProjects: Migration = {
  version: 23,
  name: 'measure-projects',
  up: (database) => database.exec(evaluations + quality),
};
