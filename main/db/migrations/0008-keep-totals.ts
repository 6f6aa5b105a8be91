import type { Migration } from './migration.ts';

/**
 * Totals of a project for lists, updated when rows change instead of counted per request, so that a project of
 * thousands of tasks is listed like one of a few. Triggers update them, which includes cascades and every other write.
 * Rows of `project_subset` exist only for named subsets.
 */
const totals = `
CREATE TABLE project_total (
  project_id INTEGER PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
  task_count INTEGER NOT NULL DEFAULT 0,
  -- tasks that have data
  media_count INTEGER NOT NULL DEFAULT 0,
  job_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE project_subset (
  project_id INTEGER NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  subset TEXT NOT NULL,
  task_count INTEGER NOT NULL,
  PRIMARY KEY (project_id, subset)
) STRICT, WITHOUT ROWID;
-- the task's own, repeated: jobs of a project are found without looking at all its tasks
ALTER TABLE job ADD COLUMN project_id INTEGER;

UPDATE job SET project_id = (SELECT task.project_id FROM task WHERE task.id = job.task_id);
INSERT INTO project_total (project_id, task_count, media_count, job_count)
  SELECT id,
    (SELECT count(*) FROM task WHERE task.project_id = project.id),
    (SELECT count(media_id) FROM task WHERE task.project_id = project.id),
    (SELECT count(*) FROM task JOIN job ON job.task_id = task.id WHERE task.project_id = project.id)
  FROM project;
INSERT INTO project_subset (project_id, subset, task_count)
  SELECT project_id, subset, count(*) FROM task WHERE project_id IS NOT NULL AND subset <> '' GROUP BY 1, 2;
`;

const countTask = (row: 'NEW' | 'OLD', by: '+' | '-') => `
  UPDATE project_total SET task_count = task_count ${by} 1, media_count = media_count ${by} (${row}.media_id IS NOT NULL)
    WHERE project_id = ${row}.project_id;`;
const addSubset = `
  INSERT INTO project_subset (project_id, subset, task_count)
    SELECT NEW.project_id, NEW.subset, 1 WHERE NEW.project_id IS NOT NULL AND NEW.subset <> ''
    ON CONFLICT DO UPDATE SET task_count = task_count + 1;`;
const takeSubset = `
  UPDATE project_subset SET task_count = task_count - 1 WHERE project_id = OLD.project_id AND subset = OLD.subset;
  DELETE FROM project_subset WHERE project_id = OLD.project_id AND subset = OLD.subset AND task_count = 0;`;
const countJob = (row: 'NEW' | 'OLD', by: '+' | '-') => `
  UPDATE project_total SET job_count = job_count ${by} 1 WHERE project_id = ${row}.project_id;`;

/**
 * Rows deleted with their project subtract from totals that are deleted too, or already gone: a subtraction never
 * creates a row.
 */
const triggers = `
CREATE TRIGGER project_total_comes AFTER INSERT ON project BEGIN
  INSERT INTO project_total (project_id) VALUES (NEW.id);
END;

CREATE TRIGGER task_total_comes AFTER INSERT ON task BEGIN${countTask('NEW', '+')}${addSubset}
END;
CREATE TRIGGER task_total_goes AFTER DELETE ON task BEGIN${countTask('OLD', '-')}${takeSubset}
END;
CREATE TRIGGER task_total_changes AFTER UPDATE OF project_id, subset, media_id ON task
  WHEN OLD.project_id IS NOT NEW.project_id OR OLD.subset <> NEW.subset OR OLD.media_id IS NOT NEW.media_id
BEGIN${countTask('OLD', '-')}${takeSubset}${countTask('NEW', '+')}${addSubset}
  UPDATE job SET project_id = NEW.project_id WHERE task_id = NEW.id AND project_id IS NOT NEW.project_id;
END;

CREATE TRIGGER job_total_comes AFTER INSERT ON job BEGIN${countJob('NEW', '+')}
  UPDATE job SET project_id = (SELECT project_id FROM task WHERE id = NEW.task_id)
    WHERE id = NEW.id AND project_id IS NOT (SELECT project_id FROM task WHERE id = NEW.task_id);
END;
CREATE TRIGGER job_total_goes AFTER DELETE ON job BEGIN${countJob('OLD', '-')}
END;
CREATE TRIGGER job_total_changes AFTER UPDATE OF project_id ON job WHEN OLD.project_id IS NOT NEW.project_id
BEGIN${countJob('OLD', '-')}${countJob('NEW', '+')}
END;
`;

/**
 * A task is in the same organization as its project; lists of the project's tasks rely on it. Moving a project moves
 * its tasks. This trigger covers tasks that an import adds after the move.
 */
const place = `
UPDATE task SET organization_id = (SELECT organization_id FROM project WHERE project.id = task.project_id)
  WHERE project_id IS NOT NULL
    AND organization_id IS NOT (SELECT organization_id FROM project WHERE project.id = task.project_id);
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
`;

/** Trigram index of the texts of tasks, stored beside the tasks for searches. */
const texts = `
CREATE VIRTUAL TABLE task_text USING fts5 (
  name, subset, bug_tracker, content = 'task', content_rowid = 'id', tokenize = 'trigram', columnsize = 0
);
INSERT INTO task_text (task_text) VALUES ('rebuild');
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
`;

/**
 * `task_search` is for scanning, not for lookups. It contains, ordered by id, all columns that a search and the
 * visibility rules read, in a third of the rows' size.
 */
const indexes = `
CREATE INDEX job_project ON job (project_id);
CREATE INDEX task_name ON task (name COLLATE NOCASE, id DESC);
CREATE INDEX task_updated ON task (updated_date);
CREATE INDEX job_updated ON job (updated_date);
CREATE INDEX task_status ON task (status);
CREATE INDEX task_owner ON task (owner_id);
CREATE INDEX task_assignee ON task (assignee_id);
CREATE INDEX job_state ON job (state);
CREATE INDEX job_stage ON job (stage);
CREATE INDEX job_assignee ON job (assignee_id);
CREATE INDEX task_search ON task (
  id, name || char(10) || subset || char(10) || bug_tracker, project_id, owner_id, assignee_id, organization_id, status,
  mode, media_id
);
`;

export const keepTotals: Migration = {
  version: 8,
  name: 'keep-totals',
  up: (database) => database.exec(totals + triggers + place + texts + indexes),
};
