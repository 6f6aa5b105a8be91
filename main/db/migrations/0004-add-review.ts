import type { Migration } from './migration.ts';

/** Issues with comments for reviewers, and guides with images for annotators. */
const review = `
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

CREATE TABLE guide (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER UNIQUE REFERENCES project (id) ON DELETE CASCADE,
  task_id INTEGER UNIQUE REFERENCES task (id) ON DELETE CASCADE,
  markdown TEXT NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  CHECK ((project_id IS NULL) <> (task_id IS NULL))
) STRICT;

CREATE TABLE asset (
  uuid TEXT PRIMARY KEY,
  guide_id INTEGER NOT NULL REFERENCES guide (id) ON DELETE CASCADE,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_guide ON asset (guide_id);
`;

export const addReview: Migration = {
  version: 4,
  name: 'add-review',
  up: (database) => database.exec(review),
};
