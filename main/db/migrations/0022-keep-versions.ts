import type { Migration } from './migration.ts';

/**
 * Sources of a function's deployments, for comparison and restore. The image of each has its own tag in Docker Engine.
 */
const versions = `
CREATE TABLE model_version (
  function_name TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- The columns of the function, as the deployment left them: JSON, with the sealed values of its variables
  deployed TEXT NOT NULL,
  -- JSON: the handler's files; null where they are not known
  files TEXT,
  created_date TEXT NOT NULL,
  PRIMARY KEY (function_name, version)
) STRICT, WITHOUT ROWID;
`;

export const keepVersions: Migration = {
  version: 22,
  name: 'keep-versions',
  up: (database) => database.exec(versions),
};
