import type { Migration } from './migration.ts';

/**
 * Annotations removed by a change stay in hidden sets for a while. A `discarded` set of a change is kept: changing one
 * row shows it again. When the change's row is deleted, after its expiry or with its task, the set is emptied like
 * every other discarded one. Undoing a change
 * - `replace`: shows its hidden sets and hides the sets shown at that time,
 * - `add`: shows them in addition,
 * - `remove`: hides its sets, which are live.
 */
const changes = `
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
  -- JSON of labels that went with their annotations
  labels TEXT,
  -- 1: labels have gone since, which its objects may carry
  labels_gone INTEGER NOT NULL DEFAULT 0,
  created_date TEXT NOT NULL,
  expiry_date TEXT NOT NULL
) STRICT;
CREATE INDEX annotation_change_project ON annotation_change (project_id);
CREATE INDEX annotation_change_task ON annotation_change (task_id);
CREATE INDEX annotation_change_job ON annotation_change (job_id);
CREATE INDEX annotation_change_user ON annotation_change (user_id);
ALTER TABLE annotation_set ADD COLUMN change_id INTEGER REFERENCES annotation_change (id) ON DELETE SET NULL;
CREATE INDEX annotation_set_change ON annotation_set (change_id) WHERE change_id IS NOT NULL;
`;

export const keepReplacedAnnotations: Migration = {
  version: 10,
  name: 'keep-replaced-annotations',
  up: (database) => database.exec(changes),
};
