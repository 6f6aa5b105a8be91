import type { Migration } from './migration.ts';

const columns = `
-- the format of the copy beside Limner's own files in the repository; null: there is none
ALTER TABLE git_binding ADD COLUMN format TEXT;
ALTER TABLE git_project ADD COLUMN format TEXT;
`;

export const keepGitCopies: Migration = {
  version: 28,
  name: 'keep-git-copies',
  up: (database) => database.exec(columns),
};
