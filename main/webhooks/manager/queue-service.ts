import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebhookMessage, WebhookState } from '../../../preload/contract/schema/webhooks.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Store } from '../../db/store.ts';
import { isoFromMs } from '../../platform/clock.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import type { DeliveryRepository } from '../store/delivery-repository.ts';
import {
  messageList,
  type ListedMessageRow,
  type MessageRow,
  type OutboxRepository,
} from '../store/outbox-repository.ts';
import type { WebhookAccess } from './webhook-access.ts';
import { presentMessage } from './webhook-presenter.ts';
import type { WebhookRepository } from '../store/webhook-repository.ts';

/** Messages that one transaction queues again. */
const redeliveriesAtOnce = 200;

export function createQueueService(dependencies: {
  readonly database: Store;
  readonly webhooks: Pick<WebhookRepository, 'target'>;
  readonly outbox: OutboxRepository;
  readonly deliveries: Pick<DeliveryRepository, 'get'>;
  readonly webhookAccess: WebhookAccess;
  readonly nowMs: () => number;
  readonly changed: (webhookIds: readonly number[]) => void;
}) {
  const { database, webhooks, outbox, deliveries, webhookAccess, nowMs, changed } = dependencies;

  function stored(webhookId: number, id: number): ListedMessageRow {
    const row = outbox.get(id);
    if (row?.webhook_id !== webhookId) throw notFound();
    return row;
  }

  /** Queues the same event with the same `webhook-id` as a new message. */
  function sendAgain({ id, webhook_id, message_id, event, changed_fields }: MessageRow): void {
    const body = outbox.body(id);
    outbox.supersede(id);
    outbox.insert({ webhook_id, message_id, event, changed_fields, body, redelivery: 1, created_ms: nowMs() });
  }

  function openActive(actor: Actor, id: number): void {
    if (webhookAccess.open(actor, id, 'update').is_active === 1) return;
    throw refusal('The webhook is not active, so nothing was sent. Enable it first.');
  }

  function changeWaiting(actor: Actor, id: number, messageId: number, act: () => boolean): WebhookMessage {
    webhookAccess.open(actor, id, 'update');
    stored(id, messageId);
    if (!database.write(act)) {
      throw refusal('This event is no longer waiting. Send it again with a redelivery.');
    }
    changed([id]);
    return presentMessage(stored(id, messageId));
  }

  /**
   * Queues failed messages up to an id. Returns their number. The webhook may have been deleted since the last call.
   */
  function sendSomeAgain(webhookId: number, upToId: number): number {
    const rows = webhooks.target(webhookId) ? outbox.undelivered(webhookId, upToId, redeliveriesAtOnce) : [];
    for (const row of rows) sendAgain(row);
    return rows.length;
  }

  return {
    state(actor: Actor, id: number): WebhookState {
      const row = webhookAccess.open(actor, id, 'view');
      const next = outbox.next({ webhookId: id, redelivery: 0 }, nowMs());
      const nextMs = next.kind === 'send' ? (next.messages[0]?.next_attempt_ms ?? null) : next.untilMs;
      return {
        has_secret: row.secret !== '',
        previous_secret_until: row.previous_secret_until_ms > nowMs() ? isoFromMs(row.previous_secret_until_ms) : null,
        ...outbox.counts(id),
        next_attempt_date: nextMs === null ? null : isoFromMs(nextMs),
        deactivation_reason: row.deactivation_reason,
      };
    },
    list(actor: Actor, id: number, request: ListRequest): Listing<WebhookMessage> {
      webhookAccess.open(actor, id, 'view');
      const scope = { sql: 'webhook_message.webhook_id = +?', params: [id] };
      const { count, results } = listRows<ListedMessageRow>(database, messageList, request, scope);
      return { count, results: results.map(presentMessage) };
    },
    retryNow: (actor: Actor, id: number, messageId: number): WebhookMessage =>
      changeWaiting(actor, id, messageId, () => outbox.setDue(messageId, nowMs())),
    skip: (actor: Actor, id: number, messageId: number): WebhookMessage =>
      changeWaiting(actor, id, messageId, () => outbox.skip(messageId, `Skipped by ${actor.username}.`)),

    /** Sends the message of an attempt again, whatever its outcome was. */
    redeliver(actor: Actor, id: number, deliveryId: number): void {
      openActive(actor, id);
      const delivery = deliveries.get(deliveryId);
      if (delivery?.webhook_id !== id) throw notFound();
      database.write(() => sendAgain(stored(id, delivery.message_id)));
      changed([id]);
    },
    /** Sends all failed and skipped messages again, in the order of their events, and retries waiting ones now. */
    async redeliverFailed(actor: Actor, id: number): Promise<{ redelivered: number; retried_now: number }> {
      openActive(actor, id);
      const retriedNow = database.write(() => outbox.setDueAll(id, nowMs()));
      changed([id]);
      // Bounds the loop, because messages that are sent again may fail again before it ends.
      const newestId = outbox.newestId(id);
      for (let redelivered = 0; ; await nextTurn()) {
        const count = database.write(() => sendSomeAgain(id, newestId));
        redelivered += count;
        changed([id]);
        if (count < redeliveriesAtOnce) return { redelivered, retried_now: retriedNow };
      }
    },
  };
}

const refusal = (message: string) => new AppError('invalid', message, [message]);
