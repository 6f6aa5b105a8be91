import type { Migration } from './migration.ts';

/**
 * A webhook whose project or organization is deleted is `draining`: users no longer see it, but its queued messages (at
 * least the deletion itself) are still delivered. A `discarded` one is emptied in the background, row by row. Triggers
 * set `draining`, so that it holds for cascades too.
 */
const webhook = `
CREATE TABLE webhook (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  stage TEXT NOT NULL DEFAULT 'live' CHECK (stage IN ('live', 'draining', 'discarded')),
  type TEXT NOT NULL CHECK (type IN ('project', 'organization')),
  target_url TEXT NOT NULL,
  description TEXT NOT NULL,
  content_type TEXT NOT NULL,
  -- sealed by platform/secrets.ts; empty: none
  secret TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  enable_ssl INTEGER NOT NULL,
  -- sorted, joined by commas
  events TEXT NOT NULL,
  owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  project_id INTEGER REFERENCES project (id) ON DELETE SET NULL,
  organization_id INTEGER REFERENCES organization (id) ON DELETE SET NULL,
  -- why Limner itself switched it off
  deactivation_reason TEXT,
  -- since when its receiver has taken no event; null while it takes them
  failing_since_ms INTEGER,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  CHECK (stage <> 'live' OR CASE type
    WHEN 'project' THEN project_id IS NOT NULL
    ELSE project_id IS NULL AND organization_id IS NOT NULL END)
) STRICT;
CREATE INDEX webhook_project ON webhook (project_id);
CREATE INDEX webhook_organization ON webhook (organization_id);
CREATE INDEX webhook_owner ON webhook (owner_id);
CREATE TRIGGER webhook_project_goes BEFORE DELETE ON project BEGIN
  UPDATE webhook SET stage = 'draining', project_id = NULL, organization_id = NULL
  WHERE project_id = OLD.id AND stage = 'live';
END;
CREATE TRIGGER webhook_organization_goes BEFORE DELETE ON organization BEGIN
  UPDATE webhook SET stage = 'draining', organization_id = NULL
  WHERE organization_id = OLD.id AND type = 'organization' AND stage = 'live';
END;
`;

/**
 * `webhook_message` is the outbox: one row per event and webhook, written with the change that caused it. Its rows are
 * small, because every attempt changes them; the payload, which never changes, has a separate table. `webhook_delivery`
 * is the log: one row per attempt.
 */
const outbox = `
CREATE TABLE webhook_message (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id INTEGER NOT NULL REFERENCES webhook (id),
  -- the same in redeliveries: receivers drop repeats by it
  message_id TEXT NOT NULL,
  event TEXT NOT NULL,
  changed_fields TEXT NOT NULL,
  redelivery INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped')),
  reason TEXT NOT NULL DEFAULT '',
  -- 1: failed or skipped, but sent again since by another row
  superseded INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_ms INTEGER NOT NULL,
  next_attempt_ms INTEGER NOT NULL,
  -- until when those behind it wait for it
  hold_until_ms INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX webhook_message_webhook ON webhook_message (webhook_id, id);
CREATE INDEX webhook_message_new ON webhook_message (webhook_id, redelivery, id)
  WHERE state = 'waiting' AND attempts = 0;
CREATE INDEX webhook_message_retry ON webhook_message (webhook_id, redelivery, hold_until_ms, id, next_attempt_ms)
  WHERE state = 'waiting' AND attempts > 0;
CREATE INDEX webhook_message_undelivered ON webhook_message (webhook_id, id)
  WHERE state IN ('failed', 'skipped') AND superseded = 0;

CREATE TABLE webhook_payload (
  id INTEGER PRIMARY KEY REFERENCES webhook_message (id) ON DELETE CASCADE,
  -- exactly the text that is signed and sent; ASCII
  body TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES webhook_message (id) ON DELETE CASCADE,
  webhook_id INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  status_code INTEGER,
  request_duration_ms INTEGER NOT NULL,
  created_date TEXT NOT NULL,
  updated_date TEXT NOT NULL,
  target_url TEXT NOT NULL,
  -- JSON objects
  request_headers TEXT NOT NULL,
  response_headers TEXT NOT NULL,
  response TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_delivery_message ON webhook_delivery (message_id);
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_id, id);
`;

export const addWebhooks: Migration = {
  version: 3,
  name: 'add-webhooks',
  up: (database) => database.exec(webhook + outbox),
};
