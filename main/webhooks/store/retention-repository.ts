import type { Store } from '../../db/store.ts';

export type RetentionRepository = ReturnType<typeof createRetentionRepository>;

/** Deletes old webhook data, a limited number of rows at a time. */
export function createRetentionRepository(database: Store) {
  const discardDrained = database.query(
    `UPDATE webhook SET stage = 'discarded' WHERE stage = 'draining' AND NOT EXISTS (
       SELECT 1 FROM webhook_message WHERE webhook_message.webhook_id = webhook.id AND state = 'waiting')`,
  );
  const removeOfDiscarded = database.query(
    `DELETE FROM webhook_message WHERE id IN (SELECT webhook_message.id FROM webhook
       JOIN webhook_message ON webhook_message.webhook_id = webhook.id WHERE stage = 'discarded' LIMIT +?)`,
  );
  const removeDiscarded = database.query(
    `DELETE FROM webhook WHERE stage = 'discarded' AND NOT EXISTS (
       SELECT 1 FROM webhook_message WHERE webhook_message.webhook_id = webhook.id)`,
  );
  const removeOld = database.query(
    `DELETE FROM webhook_message WHERE id IN (
       SELECT id FROM (SELECT id, state, created_ms FROM webhook_message ORDER BY id LIMIT +?)
       WHERE state <> 'waiting' AND created_ms < +?)`,
  );
  return {
    /** Discards webhooks of deleted projects and organizations that have no waiting messages. */
    discardDrained: (): boolean => discardDrained.run().changes > 0,
    /** Deletes rows of discarded webhooks, then the webhooks; true while more remain. */
    removeDiscarded(limit: number): boolean {
      if (removeOfDiscarded.run(limit).changes > 0) return true;
      removeDiscarded.run();
      return false;
    },
    /** Deletes old ended messages among the first ones; true while more may remain. */
    removeOld: (createdBeforeMs: number, limit: number): boolean =>
      removeOld.run(limit, createdBeforeMs).changes === limit,
  };
}
