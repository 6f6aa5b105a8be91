import { z } from 'zod';
import { equality, idParams, listQuery, organizationQuery, pageSchema, related } from '../schema/common.ts';
import * as webhooks from '../schema/webhooks.ts';
import { operation } from '../operation.ts';

const id = z.coerce.number().int().nonnegative();
const deliveryParams = z.object({ id, delivery_id: id });
const messageParams = z.object({ id, message: id });

const resourceOperations = {
  listWebhooks: operation({
    method: 'GET',
    path: '/api/webhooks',
    tag: 'webhooks',
    summary: 'Webhooks that the caller may see',
    status: 200,
    query: listQuery({
      target_url: equality,
      owner: equality,
      type: equality,
      project_id: equality,
      organization_id: equality,
      ...related('organization', 'project'),
    }),
    output: pageSchema(webhooks.webhookSchema),
  }),
  createWebhook: operation({
    method: 'POST',
    path: '/api/webhooks',
    tag: 'webhooks',
    summary: 'Create a webhook of a project, or of the organization of the context',
    status: 201,
    query: z.object(organizationQuery),
    body: webhooks.webhookWriteSchema,
    output: webhooks.webhookSchema,
  }),
  /** Stands before `{id}`, which its path fits too. */
  listWebhookEvents: operation({
    method: 'GET',
    path: '/api/webhooks/events',
    tag: 'webhooks',
    summary: 'Kinds of events that webhooks can subscribe to',
    status: 200,
    open: true,
    query: z.object({ type: z.string().optional() }),
    output: webhooks.webhookEventsSchema,
  }),
  getWebhook: operation({
    method: 'GET',
    path: '/api/webhooks/{id}',
    tag: 'webhooks',
    summary: 'One webhook',
    status: 200,
    params: idParams,
    output: webhooks.webhookSchema,
  }),
  updateWebhook: operation({
    method: 'PATCH',
    path: '/api/webhooks/{id}',
    tag: 'webhooks',
    summary: 'Change a webhook',
    status: 200,
    params: idParams,
    body: webhooks.webhookPatchSchema,
    output: webhooks.webhookSchema,
  }),
  replaceWebhook: operation({
    method: 'PUT',
    path: '/api/webhooks/{id}',
    tag: 'webhooks',
    summary: 'Change a webhook as a whole',
    status: 200,
    params: idParams,
    body: webhooks.webhookPutSchema,
    output: webhooks.webhookSchema,
  }),
  deleteWebhook: operation({
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    tag: 'webhooks',
    summary: 'Delete a webhook with its log; what waits is not sent',
    status: 204,
    params: idParams,
  }),
} as const;

const deliveryOperations = {
  pingWebhook: operation({
    method: 'POST',
    path: '/api/webhooks/{id}/ping',
    tag: 'webhooks',
    summary: 'Send a ping at once and answer what became of it',
    status: 200,
    params: idParams,
    output: webhooks.webhookDeliverySchema,
  }),
  listWebhookDeliveries: operation({
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    tag: 'webhooks',
    summary: 'Attempts to deliver, the newest first',
    status: 200,
    params: idParams,
    query: listQuery({
      event: equality,
      status_code: equality,
      redelivery: equality,
      attempt: equality,
      message_id: equality,
    }),
    output: pageSchema(webhooks.webhookDeliverySchema),
  }),
  getWebhookDelivery: operation({
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries/{delivery_id}',
    tag: 'webhooks',
    summary: 'One attempt to deliver',
    status: 200,
    params: deliveryParams,
    output: webhooks.webhookDeliverySchema,
  }),
  redeliverWebhookDelivery: operation({
    method: 'POST',
    path: '/api/webhooks/{id}/deliveries/{delivery_id}/redelivery',
    tag: 'webhooks',
    summary: 'Send the stored payload of a delivery again',
    status: 200,
    params: deliveryParams,
    output: z.object({}),
  }),
} as const;

/** Limner's own: what its webhook manager shows beyond the resource. */
const managerOperations = {
  getWebhookState: operation({
    method: 'GET',
    path: '/api/limner/webhooks/{id}/state',
    tag: 'limner',
    summary: 'What waits, what failed, and when the next attempt is made',
    status: 200,
    params: idParams,
    output: webhooks.webhookStateSchema,
  }),
  listWebhookQueue: operation({
    method: 'GET',
    path: '/api/limner/webhooks/{id}/queue',
    tag: 'limner',
    summary: 'Events on their way to a webhook, the newest first',
    status: 200,
    params: idParams,
    query: listQuery({ state: equality, event: equality, redelivery: equality, message_id: equality }),
    output: pageSchema(webhooks.webhookMessageSchema),
  }),
  retryWebhookMessage: operation({
    method: 'POST',
    path: '/api/limner/webhooks/{id}/queue/{message}/retry',
    tag: 'limner',
    summary: 'Make the next attempt of a waiting event now',
    status: 200,
    params: messageParams,
    output: webhooks.webhookMessageSchema,
  }),
  skipWebhookMessage: operation({
    method: 'POST',
    path: '/api/limner/webhooks/{id}/queue/{message}/skip',
    tag: 'limner',
    summary: 'Give up a waiting event, so that those behind it are sent',
    status: 200,
    params: messageParams,
    output: webhooks.webhookMessageSchema,
  }),
  redeliverFailedMessages: operation({
    method: 'POST',
    path: '/api/limner/webhooks/{id}/redeliver_failed',
    tag: 'limner',
    summary: 'Send everything again that failed or was skipped, and make the retries that wait now',
    status: 200,
    params: idParams,
    output: z.object({ redelivered: z.int(), retried_now: z.int() }),
  }),
  getWebhookExchange: operation({
    method: 'GET',
    path: '/api/limner/webhooks/{id}/deliveries/{delivery_id}/exchange',
    tag: 'limner',
    summary: 'An attempt as it went over the wire, also as a curl command',
    status: 200,
    params: deliveryParams,
    output: webhooks.webhookExchangeSchema,
  }),
  getWebhookSettings: operation({
    method: 'GET',
    path: '/api/limner/webhook-settings',
    tag: 'limner',
    summary: 'Where webhooks may send',
    status: 200,
    output: webhooks.webhookSettingsSchema,
  }),
  updateWebhookSettings: operation({
    method: 'PATCH',
    path: '/api/limner/webhook-settings',
    tag: 'limner',
    summary: 'As an admin, change where webhooks may send',
    status: 200,
    body: webhooks.webhookSettingsPatchSchema,
    output: webhooks.webhookSettingsSchema,
  }),
} as const;

/** Limner's own: a receiver on loopback, one for each user, to try webhooks without leaving the program. */
const receiverOperations = {
  getWebhookReceiver: operation({
    method: 'GET',
    path: '/api/limner/webhook-receiver',
    tag: 'limner',
    summary: "The caller's test receiver and what it got",
    status: 200,
    output: webhooks.webhookReceiverSchema,
  }),
  startWebhookReceiver: operation({
    method: 'POST',
    path: '/api/limner/webhook-receiver',
    tag: 'limner',
    summary: 'Start the test receiver on a free port of loopback',
    status: 200,
    body: webhooks.receiverAnswerPatchSchema,
    output: webhooks.webhookReceiverSchema,
  }),
  updateWebhookReceiver: operation({
    method: 'PATCH',
    path: '/api/limner/webhook-receiver',
    tag: 'limner',
    summary: 'Change what the test receiver answers',
    status: 200,
    body: webhooks.receiverAnswerPatchSchema,
    output: webhooks.webhookReceiverSchema,
  }),
  stopWebhookReceiver: operation({
    method: 'DELETE',
    path: '/api/limner/webhook-receiver',
    tag: 'limner',
    summary: 'Stop the test receiver; what it got is forgotten',
    status: 204,
  }),
  clearWebhookReceiver: operation({
    method: 'DELETE',
    path: '/api/limner/webhook-receiver/received',
    tag: 'limner',
    summary: 'Forget what the test receiver got',
    status: 204,
  }),
} as const;

export const webhookOperations = {
  ...resourceOperations,
  ...deliveryOperations,
  ...managerOperations,
  ...receiverOperations,
} as const;
