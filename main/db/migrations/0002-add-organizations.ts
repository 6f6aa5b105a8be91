import type { Migration } from './migration.ts';

/** Invitations to organizations, placeholders for invited users without an account, password resets. */
const organizations = `
CREATE TABLE invitation (
  key TEXT PRIMARY KEY,
  membership_id INTEGER NOT NULL UNIQUE REFERENCES membership (id) ON DELETE CASCADE,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  created_date TEXT NOT NULL,
  -- start of the period of validity; renewing the invitation restarts it
  sent_date TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_organization ON membership (organization_id);
CREATE INDEX project_organization ON project (organization_id) WHERE organization_id IS NOT NULL;
CREATE INDEX task_organization ON task (organization_id) WHERE organization_id IS NOT NULL;

ALTER TABLE user ADD COLUMN has_analytics_access INTEGER NOT NULL DEFAULT 0;
ALTER TABLE user ADD COLUMN is_placeholder INTEGER NOT NULL DEFAULT 0;

CREATE TABLE password_reset (
  token_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL UNIQUE REFERENCES user (id) ON DELETE CASCADE,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const addOrganizations: Migration = {
  version: 2,
  name: 'add-organizations',
  up: (database) => database.exec(organizations),
};
