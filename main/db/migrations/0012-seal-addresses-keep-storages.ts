import type { Migration } from './migration.ts';

/**
 * Name and password of a webhook's address, sealed; empty: none. The address itself is kept with stars in their place.
 * Null until the next start takes them out of the address, as a migration cannot seal.
 */
const credentials = `
ALTER TABLE webhook ADD COLUMN target_credentials TEXT;
`;

/** When the latest attempt ended: one that lies ahead tells that the clock was set back since. */
const attempted = `
ALTER TABLE webhook_message ADD COLUMN attempted_ms INTEGER NOT NULL DEFAULT 0;
DROP INDEX webhook_message_retry;
CREATE INDEX webhook_message_retry
  ON webhook_message (webhook_id, redelivery, hold_until_ms, id, next_attempt_ms, attempted_ms)
  WHERE state = 'waiting' AND attempts > 0;
`;

/** Where its owner reached the service when he asked for it: its events carry addresses that begin with it. */
const origin = `
ALTER TABLE request ADD COLUMN origin TEXT NOT NULL DEFAULT '';
`;

/** Storages that projects and tasks name: objects with ids of their own, whose place is this machine. */
const storages = `
CREATE TABLE storage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  location TEXT NOT NULL CHECK (location = 'local')
) STRICT;
${['project', 'task']
  .map(
    (table) => `
ALTER TABLE ${table} ADD COLUMN target_storage_id INTEGER;
ALTER TABLE ${table} ADD COLUMN source_storage_id INTEGER;
CREATE TRIGGER ${table}_storage_goes AFTER DELETE ON ${table} BEGIN
  DELETE FROM storage WHERE id IN (OLD.target_storage_id, OLD.source_storage_id);
END;`,
  )
  .join('')}
`;

export const sealAddressesKeepStorages: Migration = {
  version: 12,
  name: 'seal-addresses-keep-storages',
  up: (database) => database.exec(credentials + attempted + origin + storages),
};
