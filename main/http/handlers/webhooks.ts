import type { webhookOperations } from '../../../preload/contract/operations/webhooks.ts';
import type { Services } from '../../composition/services.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler, listRequest, pageOf } from '../paging.ts';

export function createWebhookHandlers({
  webhooks: { resource, deliveries, queue, receivers },
}: Pick<Services, 'webhooks'>): HandlersOf<typeof webhookOperations> {
  return {
    listWebhooks: listHandler(resource.list),
    createWebhook: ({ actor, body }) => resource.create(actor, body),
    listWebhookEvents: ({ query }) => resource.eventsOfType(query.type),
    getWebhook: ({ actor, params }) => resource.get(actor, params.id),
    updateWebhook: ({ actor, params, body }) => resource.update(actor, params.id, body),
    replaceWebhook: ({ actor, params, body }) => resource.update(actor, params.id, body),
    deleteWebhook: ({ actor, params }) => resource.remove(actor, params.id),

    pingWebhook: ({ actor, params }) => deliveries.ping(actor, params.id),
    listWebhookDeliveries({ actor, params, query, request }) {
      const wanted = listRequest(query);
      return pageOf(request.url, wanted, deliveries.list(actor, params.id, wanted));
    },
    getWebhookDelivery: ({ actor, params }) => deliveries.get(actor, params.id, params.delivery_id),
    redeliverWebhookDelivery({ actor, params }) {
      queue.redeliver(actor, params.id, params.delivery_id);
      return {};
    },

    getWebhookState: ({ actor, params }) => queue.state(actor, params.id),
    listWebhookQueue({ actor, params, query, request }) {
      const wanted = listRequest(query);
      return pageOf(request.url, wanted, queue.list(actor, params.id, wanted));
    },
    retryWebhookMessage: ({ actor, params }) => queue.retryNow(actor, params.id, params.message),
    skipWebhookMessage: ({ actor, params }) => queue.skip(actor, params.id, params.message),
    redeliverFailedMessages: ({ actor, params }) => queue.redeliverFailed(actor, params.id),
    getWebhookExchange: ({ actor, params }) => deliveries.exchange(actor, params.id, params.delivery_id),
    getWebhookSettings: () => resource.settings(),
    updateWebhookSettings: ({ actor, body }) => resource.updateSettings(actor, body),

    getWebhookReceiver: ({ actor }) => receivers.state(actor),
    startWebhookReceiver: ({ actor, body }) => receivers.start(actor, body),
    updateWebhookReceiver: ({ actor, body }) => receivers.setAnswer(actor, body),
    stopWebhookReceiver: ({ actor }) => receivers.stop(actor),
    clearWebhookReceiver: ({ actor }) => receivers.clear(actor),
  };
}
