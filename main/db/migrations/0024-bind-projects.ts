import type { Migration } from './migration.ts';

/**
 * A project whose tasks are in folders below one of a remote repository. Each task has its own binding with the last
 * common commit; those of a project refer to it, and are deleted with it. `base` is the newest of them.
 */
const projects = `
CREATE TABLE git_project (
  project_id INTEGER PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  branch TEXT NOT NULL,
  folder TEXT NOT NULL,
  base TEXT,
  pulled_date TEXT,
  pushed_date TEXT
) STRICT;
ALTER TABLE git_binding ADD COLUMN project_id INTEGER REFERENCES git_project (project_id) ON DELETE CASCADE;
CREATE INDEX git_binding_project ON git_binding (project_id) WHERE project_id IS NOT NULL;
`;

export const bindProjects: Migration = {
  version: 24,
  name: 'bind-projects',
  up: (database) => database.exec(projects),
};
