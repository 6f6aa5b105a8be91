import type { Migration } from './migration.ts';

/** The replaced secret, sealed, and the time until which requests are signed with it too. */
const previousSecret = `
ALTER TABLE webhook ADD COLUMN previous_secret TEXT NOT NULL DEFAULT '';
ALTER TABLE webhook ADD COLUMN previous_secret_until_ms INTEGER NOT NULL DEFAULT 0;
`;

export const keepPreviousSecrets: Migration = {
  version: 7,
  name: 'keep-previous-secrets',
  up: (database) => database.exec(previousSecret),
};
