import type { WebhookDelivery, WebhookExchange } from '../../../preload/contract/schema/webhooks.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Store } from '../../db/store.ts';
import { notFound } from '../../platform/errors.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import { newMessageId } from '../events/event-recorder.ts';
import { pythonJson } from '../store/python-json.ts';
import { basicUser, type UserColumns } from '../../users/accounts/present.ts';
import type { Attempt, AttemptOutcome, AttemptRecorder } from '../delivery/attempt-recorder.ts';
import { deliveryList, type DeliveryRepository, type ListedDeliveryRow } from '../store/delivery-repository.ts';
import type { OutboxRepository } from '../store/outbox-repository.ts';
import type { WebhookAccess } from './webhook-access.ts';
import { presentDelivery, presentExchange, presentWebhook } from './webhook-presenter.ts';
import type { WebhookTarget } from '../store/webhook-repository.ts';

export function createDeliveryService(dependencies: {
  readonly database: Store;
  readonly outbox: Pick<OutboxRepository, 'insert' | 'get'>;
  readonly deliveries: DeliveryRepository;
  readonly recorder: AttemptRecorder;
  readonly webhookAccess: WebhookAccess;
  readonly users: { get(id: number): UserColumns | undefined };
  readonly nowMs: () => number;
  readonly attempt: (target: WebhookTarget, message: { message_id: string; body: string }) => Promise<Attempt>;
  readonly onOutcome: (webhookId: number, outcome: AttemptOutcome) => void;
}) {
  const { database, outbox, deliveries, recorder, webhookAccess, users, nowMs } = dependencies;

  function stored(webhookId: number, id: number): ListedDeliveryRow {
    const row = deliveries.get(id);
    if (row?.webhook_id !== webhookId) throw notFound();
    return row;
  }

  return {
    /** Sent once at once, also for an inactive webhook. */
    async ping(actor: Actor, id: number): Promise<WebhookDelivery> {
      const row = webhookAccess.open(actor, id, 'update');
      const user = users.get(actor.userId);
      const webhook = presentWebhook(row, actor.baseUrl);
      const body = pythonJson({ event: 'ping', webhook, sender: user ? basicUser(user, actor.baseUrl) : null });
      const sent = { message_id: newMessageId(), body };
      const attempt = await dependencies.attempt(row, sent);
      const outcome = database.write(() => {
        webhookAccess.stored(id);
        const ping = { ...sent, webhook_id: id, event: 'ping', changed_fields: '', redelivery: 0 as const };
        const messageId = outbox.insert({ ...ping, created_ms: nowMs() });
        return recorder.record({ id: messageId, webhook_id: id, attempts: 0, redelivery: 0 }, attempt, false);
      });
      dependencies.onOutcome(id, outcome);
      return presentDelivery(stored(id, outcome.deliveryId ?? 0));
    },

    list(actor: Actor, id: number, request: ListRequest): Listing<WebhookDelivery> {
      webhookAccess.open(actor, id, 'view');
      const scope = { sql: 'webhook_delivery.webhook_id = +?', params: [id] };
      const { count, results } = listRows<ListedDeliveryRow>(database, deliveryList, request, scope);
      return { count, results: results.map(presentDelivery) };
    },
    get(actor: Actor, id: number, deliveryId: number): WebhookDelivery {
      webhookAccess.open(actor, id, 'view');
      return presentDelivery(stored(id, deliveryId));
    },
    exchange(actor: Actor, id: number, deliveryId: number): WebhookExchange {
      webhookAccess.open(actor, id, 'view');
      const row = stored(id, deliveryId);
      const message = outbox.get(row.message_id);
      if (!message) throw notFound();
      return presentExchange(row, message);
    },
  };
}
