import type { Migration } from './migration.ts';

/** Phrases that models looked for last, by project, or by task without one. */
export const textPrompts: Migration = {
  version: 40,
  name: 'text-prompts',
  up: (database) =>
    database.exec(`
CREATE TABLE text_prompt (
  id INTEGER PRIMARY KEY,
  project_id INTEGER UNIQUE REFERENCES project (id) ON DELETE CASCADE,
  task_id INTEGER UNIQUE REFERENCES task (id) ON DELETE CASCADE,
  -- JSON list
  prompts TEXT NOT NULL,
  CHECK ((project_id IS NULL) <> (task_id IS NULL))
) STRICT;
`),
};
