/** Webhooks, their outbox and their log. */
export const webhooksSchema = `
-- A webhook whose project or organization is deleted is draining: hidden, but its queued messages are delivered.
-- Triggers set this, so that it holds for cascades. A discarded one is emptied in the background.
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
    ELSE project_id IS NULL AND organization_id IS NOT NULL END)
) STRICT;
CREATE INDEX webhook_project ON webhook (project_id);
CREATE INDEX webhook_organization ON webhook (organization_id);
CREATE INDEX webhook_owner ON webhook (owner_id);

-- The outbox: one row per event and webhook, written with the change that caused it. Rows are small, because every
-- attempt changes them.
CREATE TABLE webhook_message (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id INTEGER NOT NULL REFERENCES webhook (id),
  -- repeated in redeliveries, so that receivers can drop duplicates
  message_id TEXT NOT NULL,
  event TEXT NOT NULL,
  changed_fields TEXT NOT NULL,
  redelivery INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped')),
  reason TEXT NOT NULL DEFAULT '',
  -- 1: failed or skipped, and sent again by another row
  superseded INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_ms INTEGER NOT NULL,
  next_attempt_ms INTEGER NOT NULL,
  -- later messages wait until then
  hold_until_ms INTEGER NOT NULL DEFAULT 0,
  attempted_ms INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX webhook_message_webhook ON webhook_message (webhook_id, id);
CREATE INDEX webhook_message_new ON webhook_message (webhook_id, redelivery, id)
  WHERE state = 'waiting' AND attempts = 0;
CREATE INDEX webhook_message_undelivered ON webhook_message (webhook_id, id)
  WHERE state IN ('failed', 'skipped') AND superseded = 0;
CREATE INDEX webhook_message_retry
  ON webhook_message (webhook_id, redelivery, hold_until_ms, id, next_attempt_ms, attempted_ms)
  WHERE state = 'waiting' AND attempts > 0;

-- Payloads never change.
CREATE TABLE webhook_payload (
  id INTEGER PRIMARY KEY REFERENCES webhook_message (id) ON DELETE CASCADE,
  -- the signed and sent text; ASCII
  body TEXT NOT NULL
) STRICT;

-- The log: one row per attempt.
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
