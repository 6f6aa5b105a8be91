import type { Migration } from './migration.ts';

/**
 * Name and password of a webhook's address, sealed; empty: none. The stored address has asterisks in their place. Null
 * until the next start moves them out of the address, because a migration cannot seal.
 */
const credentials = `
ALTER TABLE webhook ADD COLUMN target_credentials TEXT;
`;

/** End of the latest attempt. If it is in the future, the clock was set back since. */
const attempted = `
ALTER TABLE webhook_message ADD COLUMN attempted_ms INTEGER NOT NULL DEFAULT 0;
DROP INDEX webhook_message_retry;
CREATE INDEX webhook_message_retry
  ON webhook_message (webhook_id, redelivery, hold_until_ms, id, next_attempt_ms, attempted_ms)
  WHERE state = 'waiting' AND attempts > 0;
`;

/** Base URL that the owner used for the request: addresses in its events begin with it. */
const origin = `
ALTER TABLE request ADD COLUMN origin TEXT NOT NULL DEFAULT '';
`;

/** Storages of projects and tasks: objects with their own ids, always on this machine. */
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
