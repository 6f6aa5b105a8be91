import type { Migration } from './migration.ts';

/**
 * Quality of annotations compared with a ground truth. Reports are stored unchanged: `data` is the downloaded content.
 */
const quality = `
CREATE TABLE quality_settings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL UNIQUE REFERENCES task (id) ON DELETE CASCADE,
  -- JSON: the choices, by name
  chosen TEXT NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL
) STRICT;

CREATE TABLE quality_report (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parent_id INTEGER REFERENCES quality_report (id) ON DELETE CASCADE,
  task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  job_id INTEGER REFERENCES job (id) ON DELETE CASCADE,
  created_date TEXT NOT NULL,
  target_last_updated TEXT NOT NULL,
  gt_last_updated TEXT NOT NULL,
  assignee_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  summary TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX quality_report_parent ON quality_report (parent_id);
CREATE INDEX quality_report_task ON quality_report (task_id, id);
CREATE INDEX quality_report_job ON quality_report (job_id, id);

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

export const addQuality: Migration = {
  version: 20,
  name: 'add-quality',
  up: (database) => database.exec(quality),
};
