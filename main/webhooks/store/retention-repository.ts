import type { Database } from '../../db/open.ts';

export type RetentionRepository = ReturnType<typeof createRetentionRepository>;

/** Removes what webhooks leave behind, a bounded number of rows at a time. */
export function createRetentionRepository(database: Database) {
  const discardDrained = database.prepare(
    `UPDATE webhook SET stage = 'discarded' WHERE stage = 'draining' AND NOT EXISTS (
       SELECT 1 FROM webhook_message WHERE webhook_message.webhook_id = webhook.id AND state = 'waiting')`,
  );
  const removeOfDiscarded = database.prepare(
    `DELETE FROM webhook_message WHERE id IN (SELECT webhook_message.id FROM webhook
       JOIN webhook_message ON webhook_message.webhook_id = webhook.id WHERE stage = 'discarded' LIMIT ?)`,
  );
  const removeDiscarded = database.prepare(
    `DELETE FROM webhook WHERE stage = 'discarded' AND NOT EXISTS (
       SELECT 1 FROM webhook_message WHERE webhook_message.webhook_id = webhook.id)`,
  );
  const removeOld = database.prepare(
    `DELETE FROM webhook_message WHERE id IN (
       SELECT id FROM (SELECT id, state, created_ms FROM webhook_message ORDER BY id LIMIT ?)
       WHERE state <> 'waiting' AND created_ms < ?)`,
  );
  return {
    /** Webhooks of deleted projects and organizations for which nothing waits any more. */
    discardDrained: (): boolean => discardDrained.run().changes > 0,
    /** Rows of discarded webhooks, then the webhooks; true while there is more. */
    removeDiscarded(limit: number): boolean {
      if (removeOfDiscarded.run(limit).changes > 0) return true;
      removeDiscarded.run();
      return false;
    },
    /** Of the first messages those that ended and are older; true while there may be more. */
    removeOld: (createdBeforeMs: number, limit: number): boolean =>
      removeOld.run(limit, createdBeforeMs).changes === limit,
  };
}
