import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  WebhookDelivery,
  WebhookExchange,
  WebhookMessage,
  WebhookState,
} from '../../../preload/contract/schema/webhooks.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Database } from '../../db/open.ts';
import { isoFromMs } from '../../platform/clock.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Actor, Listing, ListRequest } from '../actor.ts';
import { basicUser, newMessageId } from '../events/event-recorder.ts';
import { pythonJson } from '../events/python-json.ts';
import type { UserColumns } from '../present.ts';
import type { Attempt, AttemptOutcome, AttemptRecorder } from './attempt-recorder.ts';
import { deliveryList, type DeliveryRepository, type ListedDeliveryRow } from './delivery-repository.ts';
import { messageList, type ListedMessageRow, type MessageRow, type OutboxRepository } from './outbox-repository.ts';
import type { WebhookAccess } from './webhook-access.ts';
import { presentDelivery, presentExchange, presentMessage, presentWebhook } from './webhook-presenter.ts';
import type { WebhookRepository, WebhookTarget } from './webhook-repository.ts';

/** Messages that one transaction sends again. */
const redeliveriesAtOnce = 200;

export type DeliveryService = ReturnType<typeof createDeliveryService>;

/** Pings, the log of deliveries, and the queue of what waits. */
export function createDeliveryService(dependencies: {
  readonly database: Database;
  readonly webhooks: WebhookRepository;
  readonly outbox: OutboxRepository;
  readonly deliveries: DeliveryRepository;
  readonly recorder: AttemptRecorder;
  readonly webhookAccess: WebhookAccess;
  readonly users: { get(id: number): UserColumns | undefined };
  readonly nowMs: () => number;
  readonly holdMs: number;
  /** Sends one message once. */
  readonly attempt: (target: WebhookTarget, message: { message_id: string; body: string }) => Promise<Attempt>;
  readonly wake: (webhookIds: readonly number[]) => void;
  readonly onOutcome: (webhookId: number, outcome: AttemptOutcome) => void;
}) {
  const { database, webhooks, outbox, deliveries, recorder, webhookAccess, users, nowMs, holdMs, wake } = dependencies;

  function delivery(webhookId: number, id: number): ListedDeliveryRow {
    const row = deliveries.get(id);
    if (row?.webhook_id !== webhookId) throw notFound();
    return row;
  }

  function message(webhookId: number, id: number): ListedMessageRow {
    const row = outbox.get(id);
    if (row?.webhook_id !== webhookId) throw notFound();
    return row;
  }

  /** The same event under the same `webhook-id`, as a message of its own. */
  function sendAgain({ id, webhook_id, message_id, event, changed_fields }: MessageRow): void {
    const body = outbox.body(id);
    outbox.supersede(id);
    outbox.insert({ webhook_id, message_id, event, changed_fields, body, redelivery: 1, created_ms: nowMs() });
  }

  function openActive(actor: Actor, id: number): void {
    if (webhookAccess.open(actor, id, 'update').is_active === 1) return;
    const reason = 'The webhook is not active, so nothing was sent. Switch it on first.';
    throw new AppError('invalid', reason, [reason]);
  }

  function changeWaiting(actor: Actor, id: number, messageId: number, act: () => boolean): WebhookMessage {
    webhookAccess.open(actor, id, 'update');
    message(id, messageId);
    if (!database.transaction(act).immediate()) {
      const reason = 'This event does not wait any more. Send it again by a redelivery.';
      throw new AppError('invalid', reason, [reason]);
    }
    wake([id]);
    return presentMessage(message(id, messageId));
  }

  return {
    /** Sent at once and only once, also while the webhook is not active. */
    async ping(actor: Actor, id: number): Promise<WebhookDelivery> {
      const row = webhookAccess.open(actor, id, 'update');
      const user = users.get(actor.userId);
      const webhook = presentWebhook(row, actor.baseUrl);
      const body = pythonJson({ event: 'ping', webhook, sender: user ? basicUser(user, actor.baseUrl) : null });
      const sent = { message_id: newMessageId(), body };
      const attempt = await dependencies.attempt(row, sent);
      const outcome = database
        .transaction(() => {
          webhookAccess.stored(id);
          const messageId = outbox.insert({
            ...sent,
            webhook_id: id,
            event: 'ping',
            changed_fields: '',
            redelivery: 0,
            created_ms: nowMs(),
          });
          return recorder.record({ id: messageId, webhook_id: id, attempts: 0 }, attempt, false);
        })
        .immediate();
      dependencies.onOutcome(id, outcome);
      return presentDelivery(delivery(id, outcome.deliveryId ?? 0));
    },

    list(actor: Actor, id: number, request: ListRequest): Listing<WebhookDelivery> {
      webhookAccess.open(actor, id, 'view');
      const scope = { sql: 'webhook_delivery.webhook_id = ?', params: [id] };
      const { count, results } = listRows<ListedDeliveryRow>(database, deliveryList, request, scope);
      return { count, results: results.map(presentDelivery) };
    },
    get(actor: Actor, id: number, deliveryId: number): WebhookDelivery {
      webhookAccess.open(actor, id, 'view');
      return presentDelivery(delivery(id, deliveryId));
    },
    exchange(actor: Actor, id: number, deliveryId: number): WebhookExchange {
      webhookAccess.open(actor, id, 'view');
      const row = delivery(id, deliveryId);
      return presentExchange(row, message(id, row.message_id));
    },
    redeliver(actor: Actor, id: number, deliveryId: number): void {
      openActive(actor, id);
      const { message_id: messageId } = delivery(id, deliveryId);
      database.transaction(() => sendAgain(message(id, messageId))).immediate();
      wake([id]);
    },

    state(actor: Actor, id: number): WebhookState {
      const row = webhookAccess.open(actor, id, 'view');
      const next = outbox.next({ webhookId: id, redelivery: 0 }, nowMs(), holdMs);
      const nextMs = next.kind === 'send' ? next.message.next_attempt_ms : next.untilMs;
      return {
        has_secret: row.secret !== '',
        ...outbox.counts(id),
        next_attempt_date: nextMs === null ? null : isoFromMs(nextMs),
        deactivation_reason: row.deactivation_reason,
      };
    },
    queue(actor: Actor, id: number, request: ListRequest): Listing<WebhookMessage> {
      webhookAccess.open(actor, id, 'view');
      const scope = { sql: 'webhook_message.webhook_id = ?', params: [id] };
      const { count, results } = listRows<ListedMessageRow>(database, messageList, request, scope);
      return { count, results: results.map(presentMessage) };
    },
    retryNow: (actor: Actor, id: number, messageId: number): WebhookMessage =>
      changeWaiting(actor, id, messageId, () => outbox.setDue(messageId, nowMs())),
    skip: (actor: Actor, id: number, messageId: number): WebhookMessage =>
      changeWaiting(actor, id, messageId, () => outbox.skip(messageId, `Skipped by ${actor.username}.`)),

    /** Everything that failed or was skipped goes again, in the order of its events; waiting retries are made now. */
    async redeliverFailed(actor: Actor, id: number): Promise<{ redelivered: number; retried_now: number }> {
      openActive(actor, id);
      const retriedNow = database.transaction(() => outbox.setDueAll(id, nowMs())).immediate();
      wake([id]);
      // What is sent again now may fail again before this ends.
      const newestId = outbox.newestId(id);
      let redelivered = 0;
      for (;;) {
        const again = () => {
          const rows = webhooks.target(id) ? outbox.undelivered(id, newestId, redeliveriesAtOnce) : [];
          for (const row of rows) sendAgain(row);
          return rows.length;
        };
        const count = database.transaction(again).immediate();
        redelivered += count;
        wake([id]);
        if (count < redeliveriesAtOnce) return { redelivered, retried_now: retriedNow };
        await nextTurn();
      }
    },
  };
}
