import type { Migration } from './migration.ts';

/** Docker Engines of other computers, and the Engine of each function. */
export const engines: Migration = {
  version: 41,
  name: 'engines',
  up: (database) =>
    database.exec(`
CREATE TABLE model_engine (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  address TEXT NOT NULL,
  -- Encrypted JSON: ca, cert and key in PEM. Empty without TLS.
  secret TEXT NOT NULL,
  created_date TEXT NOT NULL
) STRICT;

ALTER TABLE model_function ADD COLUMN engine TEXT NOT NULL DEFAULT 'default';
`),
};
