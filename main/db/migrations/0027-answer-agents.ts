import type { Migration } from './migration.ts';

/**
 * Native functions of cvat-cli: their descriptions. They run in agents outside Limner. Requests to them are not stored,
 * because their callers can repeat them.
 */
const steps = `
CREATE TABLE model_native (
  -- never given twice: an agent of a function that was deleted must not answer for another
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  visibility TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- JSON: labels, prompts or types of shapes, by the kind
  fields TEXT NOT NULL,
  owner_id INTEGER,
  -- when an agent last asked for work
  seen_date TEXT,
  created_date TEXT NOT NULL
) STRICT;
`;

export const answerAgents: Migration = {
  version: 27,
  name: 'answer-agents',
  up: (database) => database.exec(steps),
};
