import type { Migration } from './migration.ts';

/**
 * The checks of `webhook` list the types, so the table is replaced. With `legacy_alter_table`, messages keep referring to
 * the name `webhook`.
 */
const webhooks = `
ALTER TABLE webhook RENAME TO old_webhook;
CREATE TABLE webhook (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  stage TEXT NOT NULL DEFAULT 'live' CHECK (stage IN ('live', 'draining', 'discarded')),
  type TEXT NOT NULL CHECK (type IN ('project', 'organization', 'server')),
  target_url TEXT NOT NULL,
  description TEXT NOT NULL,
  content_type TEXT NOT NULL,
  -- encrypted; empty: none
  secret TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  enable_ssl INTEGER NOT NULL,
  -- sorted, joined by commas
  events TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  project_id INTEGER REFERENCES project (id) ON DELETE SET NULL,
  organization_id INTEGER REFERENCES organization (id) ON DELETE SET NULL,
  -- reason why Limner disabled it
  deactivation_reason TEXT,
  -- start of the current series of failures; null while deliveries succeed
  failing_since_ms INTEGER,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  previous_secret TEXT NOT NULL DEFAULT '',
  previous_secret_until_ms INTEGER NOT NULL DEFAULT 0,
  target_credentials TEXT,
  CHECK (stage <> 'live' OR CASE type
    WHEN 'project' THEN project_id IS NOT NULL
    WHEN 'organization' THEN project_id IS NULL AND organization_id IS NOT NULL
    ELSE project_id IS NULL AND organization_id IS NULL END)
) STRICT;
INSERT INTO webhook SELECT * FROM old_webhook;
-- Ids of deleted webhooks are never given again.
UPDATE sqlite_sequence SET seq = max(seq, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'old_webhook'), 0))
  WHERE name = 'webhook';
INSERT INTO sqlite_sequence (name, seq) SELECT 'webhook', seq FROM sqlite_sequence
  WHERE name = 'old_webhook' AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'webhook');
DROP TABLE old_webhook;
CREATE INDEX webhook_project ON webhook (project_id);
CREATE INDEX webhook_organization ON webhook (organization_id);
CREATE INDEX webhook_owner ON webhook (owner_id);
`;

export const serverWebhooks: Migration = {
  version: 32,
  name: 'server-webhooks',
  up(database) {
    database.pragma('legacy_alter_table = ON');
    database.exec(webhooks);
    database.pragma('legacy_alter_table = OFF');
    const broken = database.pragma('foreign_key_check(webhook_message)') as unknown[];
    if (broken.length > 0) throw new Error(`${broken.length} messages of webhooks refer to a missing webhook.`);
    // Answers to CVAT's questions about the user, as JSON.
    database.exec("ALTER TABLE user ADD COLUMN profile TEXT NOT NULL DEFAULT '{}'");
  },
};
