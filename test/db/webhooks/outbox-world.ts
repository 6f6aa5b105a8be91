import { createAttemptRecorder } from '../../../main/webhooks/delivery/attempt-recorder.ts';
import { createDeliveryRepository } from '../../../main/webhooks/store/delivery-repository.ts';
import { createOutboxRepository } from '../../../main/webhooks/store/outbox-repository.ts';
import { createWebhookRepository } from '../../../main/webhooks/store/webhook-repository.ts';
import { temporaryStore } from '../../support/new-store.ts';

export const date = '2026-11-20T09:30:00.000000Z';
export const address = 'http://old.example.org/';

export type OutboxWorld = ReturnType<typeof createOutboxWorld>;

export function createOutboxWorld(delaysMs: readonly number[] = []) {
  const database = temporaryStore();
  database.exec("INSERT INTO organization (id, slug, name, created_date, updated_date) VALUES (1, 'o', 'o', '', '')");
  const webhooks = createWebhookRepository(database);
  const outbox = createOutboxRepository(database);
  const deliveries = createDeliveryRepository(database);
  return {
    database,
    webhooks,
    outbox,
    recorder: createAttemptRecorder({ webhooks, outbox, deliveries, delaysMs }),
    addWebhook: () =>
      webhooks.insert({
        type: 'organization',
        target_url: address,
        content_type: 'application/json',
        is_active: 1,
        enable_ssl: 1,
        events: 'update:project',
        organization_id: 1,
        date,
      }),
    addMessage: (webhookId: number, createdMs = 0, redelivery: 0 | 1 = 0, body = '{"event": "update:project"}') =>
      outbox.insert({
        webhook_id: webhookId,
        message_id: `msg_${createdMs}`,
        event: 'update:project',
        changed_fields: 'name',
        redelivery,
        created_ms: createdMs,
        body,
      }),
  };
}
