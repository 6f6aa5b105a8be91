import type { Migration } from './migration.ts';

/** A delivery queue finds the next retry without reading the others. */
export const indexRetries: Migration = {
  version: 30,
  name: 'index-retries',
  up: (database) =>
    database.exec(`
CREATE INDEX webhook_message_due ON webhook_message (webhook_id, redelivery, next_attempt_ms, id)
  WHERE state = 'waiting' AND attempts > 0;
CREATE INDEX webhook_message_attempted ON webhook_message (webhook_id, redelivery, attempted_ms, id)
  WHERE state = 'waiting' AND attempts > 0;
`),
};
