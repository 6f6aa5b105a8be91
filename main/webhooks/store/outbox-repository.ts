import type { QueueState } from '../../../preload/contract/schema/webhooks.ts';
import { equalFields, type ListDefinition } from '../../db/filters.ts';
import type { Store } from '../../db/store.ts';

export interface MessageRow {
  readonly id: number;
  readonly webhook_id: number;
  /** Header `webhook-id`. */
  readonly message_id: string;
  readonly event: string;
  readonly changed_fields: string;
  readonly redelivery: 0 | 1;
  readonly state: QueueState;
  readonly reason: string;
  /** Number of ended attempts. */
  readonly attempts: number;
  readonly created_ms: number;
  readonly next_attempt_ms: number;
  /** While this message waits for its retry, later ones wait for it until then. */
  readonly hold_until_ms: number;
  /** End of the latest attempt; 0 before the first. */
  readonly attempted_ms: number;
}

export interface ListedMessageRow extends MessageRow {
  readonly last_status: number | null;
}

export type NewMessage = Pick<
  MessageRow,
  'webhook_id' | 'message_id' | 'event' | 'changed_fields' | 'redelivery' | 'created_ms'
> & { readonly body: string };

/** A delivery queue: events of a webhook are sent in order in one, its redeliveries in another. */
export interface DeliveryQueue {
  readonly webhookId: number;
  readonly redelivery: 0 | 1;
}

export interface MessageOutcome {
  /** Includes the attempt that ended. */
  readonly attempts: number;
  readonly state: QueueState;
  readonly attemptedMs: number;
  readonly nextAttemptMs: number;
  /** Later attempts never extend it, so that a message blocks others only once. */
  readonly holdUntilMs: number;
}

export type QueuedMessage = MessageRow & { readonly body: string };

/** Next step of a delivery queue: send messages in order, or sleep until a time, or indefinitely (null). */
export type NextInQueue =
  | { readonly kind: 'send'; readonly messages: readonly QueuedMessage[] }
  | { readonly kind: 'sleep'; readonly untilMs: number | null };

/** Read-ahead limits, because the queue may be long and its payloads large. */
const batch = { messages: 64, chars: 512 * 1024 } as const;

/**
 * A subquery, because the planner would sort the complete queue for a join. `min(+id)` likewise avoids a table scan.
 */
const body = '(SELECT body FROM webhook_payload WHERE webhook_payload.id = webhook_message.id) AS body';
const lastStatus = `(SELECT status_code FROM webhook_delivery WHERE webhook_delivery.message_id = webhook_message.id
  ORDER BY webhook_delivery.id DESC LIMIT 1) AS last_status`;

export const messageList: ListDefinition = {
  select: `webhook_message.*, ${lastStatus}`,
  from: 'webhook_message',
  fields: {
    id: { sql: 'webhook_message.id', type: 'number' },
    ...equalFields('webhook_message', { text: ['state', 'event', 'message_id'], boolean: ['redelivery'] }),
    attempts: { sql: 'webhook_message.attempts', type: 'number' },
  },
  search: ['event', 'message_id'],
  sort: '-id',
};

type Position = Pick<MessageRow, 'id' | 'next_attempt_ms' | 'hold_until_ms'>;

export type OutboxRepository = ReturnType<typeof createOutboxRepository>;

const waitingRetry = "webhook_id = +? AND redelivery = +? AND state = 'waiting' AND attempts > 0";

/**
 * Each reads one entry of an index, because a queue asks them after every failed delivery and thousands may wait.
 * A retry is due at its time, or if its latest attempt is in the future: then the clock was set back and the intended
 * time is unknown.
 */
export const outboxSql = {
  dueRetry: `SELECT id FROM webhook_message WHERE ${waitingRetry} AND next_attempt_ms <= +? AND id <= +?
    ORDER BY next_attempt_ms, id LIMIT 1`,
  retryFromFuture: `SELECT id FROM webhook_message WHERE ${waitingRetry} AND attempted_ms > +? AND id <= +?
    ORDER BY attempted_ms, id LIMIT 1`,
  nextRetry: `SELECT next_attempt_ms FROM webhook_message WHERE ${waitingRetry} ORDER BY next_attempt_ms LIMIT 1`,
} as const;

const statements = (database: Store) => ({
  insert: database.query(
    `INSERT INTO webhook_message (webhook_id, message_id, event, changed_fields, redelivery, created_ms, next_attempt_ms)
     VALUES (@webhook_id, @message_id, @event, @changed_fields, @redelivery, @created_ms, @created_ms)`,
  ),
  insertBody: database.query('INSERT INTO webhook_payload (id, body) VALUES (?, ?)'),
  one: database.query(`SELECT ${messageList.select} FROM webhook_message WHERE id = +?`),
  body: database.query('SELECT body FROM webhook_payload WHERE id = +?'),
  anyNew: database
    .query(
      `SELECT 1 FROM webhook_message
       WHERE webhook_id = +? AND redelivery = +? AND state = 'waiting' AND attempts = 0 LIMIT 1`,
    )
    .pluck(),
  withBody: database.query(`SELECT webhook_message.*, ${body} FROM webhook_message WHERE id = +?`),
  new: database.query(
    `SELECT webhook_message.*, ${body} FROM webhook_message
     WHERE webhook_id = +? AND redelivery = +? AND state = 'waiting' AND attempts = 0 ORDER BY id LIMIT ${batch.messages}`,
  ),
  dueRetry: database.query<unknown[], number>(outboxSql.dueRetry).pluck(),
  retryFromFuture: database.query<unknown[], number>(outboxSql.retryFromFuture).pluck(),
  firstHolding: database.query(
    `SELECT id, next_attempt_ms, hold_until_ms FROM webhook_message
     WHERE webhook_id = +? AND redelivery = +? AND state = 'waiting' AND attempts > 0 AND hold_until_ms > +?
       AND next_attempt_ms > +? AND attempted_ms <= +?
     ORDER BY id LIMIT 1`,
  ),
  nextRetry: database.query<unknown[], number>(outboxSql.nextRetry).pluck(),
  lanes: database.query(
    `SELECT DISTINCT webhook_id, redelivery FROM webhook_message WHERE state = 'waiting' AND attempts = 0
     UNION SELECT DISTINCT webhook_id, redelivery FROM webhook_message WHERE state = 'waiting' AND attempts > 0`,
  ),
  setOutcome: database.query(
    `UPDATE webhook_message SET attempts = @attempts, state = @state, attempted_ms = @attemptedMs,
       next_attempt_ms = @nextAttemptMs,
       hold_until_ms = iif(attempts = 0, @holdUntilMs, min(hold_until_ms, @holdUntilMs))
     WHERE id = +@id AND state = 'waiting'`,
  ),
  setLateOutcome: database.query(
    "UPDATE webhook_message SET attempts = ?, state = iif(? = 'delivered', 'delivered', state) WHERE id = +?",
  ),
  setDue: database.query("UPDATE webhook_message SET next_attempt_ms = ? WHERE id = +? AND state = 'waiting'"),
  setDueAll: database.query(
    `UPDATE webhook_message SET next_attempt_ms = @now
     WHERE webhook_id = +@webhookId AND state = 'waiting' AND attempts > 0 AND next_attempt_ms > +@now`,
  ),
  skip: database.query("UPDATE webhook_message SET state = 'skipped', reason = ? WHERE id = +? AND state = 'waiting'"),
  skipAll: database.query(
    "UPDATE webhook_message SET state = 'skipped', reason = ? WHERE webhook_id = +? AND state = 'waiting'",
  ),
  counts: database.query(
    `SELECT state, count(*) AS count FROM webhook_message
     WHERE webhook_id = +? AND superseded = 0 AND NOT (event = 'ping' AND state = 'failed') GROUP BY state`,
  ),
  undelivered: database.query(
    `SELECT * FROM webhook_message WHERE webhook_id = +? AND id <= +? AND state IN ('failed', 'skipped')
       AND superseded = 0 AND event <> 'ping'
     ORDER BY id LIMIT +?`,
  ),
  newestId: database.query('SELECT max(id) AS id FROM webhook_message WHERE webhook_id = +?'),
  supersede: database.query(
    "UPDATE webhook_message SET superseded = 1 WHERE id = +? AND state IN ('failed', 'skipped')",
  ),
});

/** Outbox of webhook messages. Written inside the caller's transaction. */
export function createOutboxRepository(database: Store) {
  const sql = statements(database);

  /** Reads the first new messages of a queue before a message, up to the read-ahead limits. */
  function readNew({ webhookId, redelivery }: DeliveryQueue, endId: number): QueuedMessage[] {
    const messages: QueuedMessage[] = [];
    let chars = 0;
    for (const message of sql.new.iterate(webhookId, redelivery) as IterableIterator<QueuedMessage>) {
      if (message.id >= endId || chars >= batch.chars) break;
      chars += message.body.length;
      messages.push(message);
    }
    return messages;
  }

  /**
   * Order of a delivery queue. New messages are sent in the order of their events. A failed message blocks later ones
   * for some time; after that it is retried between them. Due retries are sent in the order of their times.
   */
  function next(lane: DeliveryQueue, nowMs: number): NextInQueue {
    const { webhookId, redelivery } = lane;
    const holding = sql.firstHolding.get(webhookId, redelivery, nowMs, nowMs, nowMs) as Position | undefined;
    const lastId = holding?.id ?? Number.MAX_SAFE_INTEGER;
    const due = Math.min(
      sql.dueRetry.get(webhookId, redelivery, nowMs, lastId) ?? Infinity,
      sql.retryFromFuture.get(webhookId, redelivery, nowMs, lastId) ?? Infinity,
    );
    const endId = Math.min(due, holding?.id ?? Infinity);
    const messages = readNew(lane, endId);
    if (messages.length > 0) return { kind: 'send', messages };
    if (due < Infinity && due === endId) return { kind: 'send', messages: [sql.withBody.get(due) as QueuedMessage] };
    const retryMs = sql.nextRetry.get(webhookId, redelivery) ?? Infinity;
    const releasedMs =
      holding && sql.anyNew.get(webhookId, redelivery) !== undefined ? holding.hold_until_ms : Infinity;
    const untilMs = Math.min(retryMs > nowMs ? retryMs : Infinity, holding?.next_attempt_ms ?? Infinity, releasedMs);
    return { kind: 'sleep', untilMs: untilMs === Infinity ? null : untilMs };
  }

  return {
    insert({ body, ...message }: NewMessage): number {
      const id = Number(sql.insert.run(message).lastInsertRowid);
      sql.insertBody.run(id, body);
      return id;
    },
    get: (id: number) => sql.one.get(id) as ListedMessageRow | undefined,
    body: (id: number): string => (sql.body.get(id) as { body: string } | undefined)?.body ?? '{}',
    next,
    lanes: (): DeliveryQueue[] =>
      (sql.lanes.all() as { webhook_id: number; redelivery: 0 | 1 }[]).map((row) => ({
        webhookId: row.webhook_id,
        redelivery: row.redelivery,
      })),
    /**
     * Stores the outcome of an attempt. A message that was skipped during the attempt stays skipped unless it was
     * delivered. Returns false if the message no longer exists.
     */
    setOutcome(id: number, outcome: MessageOutcome): boolean {
      if (sql.setOutcome.run({ id, ...outcome }).changes > 0) return true;
      return sql.setLateOutcome.run(outcome.attempts, outcome.state, id).changes > 0;
    },
    /** Returns false if the message is not waiting. */
    setDue: (id: number, nowMs: number): boolean => sql.setDue.run(nowMs, id).changes > 0,
    /** Returns the number of retries that are due now. */
    setDueAll: (webhookId: number, now: number): number => sql.setDueAll.run({ webhookId, now }).changes,
    skip: (id: number, reason: string): boolean => sql.skip.run(reason, id).changes > 0,
    skipAll: (webhookId: number, reason: string): number => sql.skipAll.run(reason, webhookId).changes,
    counts(webhookId: number): Record<QueueState, number> {
      const rows = sql.counts.all(webhookId) as { state: QueueState; count: number }[];
      const none = { waiting: 0, delivered: 0, failed: 0, skipped: 0 };
      return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
    },
    /** Failed or skipped messages without a redelivery, in the order of their events; without pings. */
    undelivered: (webhookId: number, upToId: number, limit: number) =>
      sql.undelivered.all(webhookId, upToId, limit) as MessageRow[],
    newestId: (webhookId: number): number => (sql.newestId.get(webhookId) as { id: number | null }).id ?? 0,
    supersede: (id: number) => void sql.supersede.run(id),
  };
}
