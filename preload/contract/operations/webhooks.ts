import { z } from 'zod';
import { equalTo, listQuery, organizationQuery, pageSchema, related } from '../schema/common.ts';
import * as webhooks from '../schema/webhooks.ts';
import { collection, operation } from '../operation.ts';

const id = z.coerce.number().int().nonnegative();
const deliveryParams = z.object({ id, delivery_id: id });
const messageParams = z.object({ id, message: id });

const collected = collection('/api/webhooks', webhooks.webhookSchema);
const resourceOperations = {
  listWebhooks: collected.list('Webhooks that you can see', {
    ...equalTo('target_url', 'owner', 'type', 'project_id', 'organization_id'),
    ...related('organization', 'project'),
  }),
  createWebhook: operation.post('/api/webhooks', 'Create a webhook for a project or the organization of the context', {
    query: z.object(organizationQuery),
    body: webhooks.webhookWriteSchema,
    output: webhooks.webhookSchema,
  }),
  /** Must precede `{id}`, which also matches this path. */
  listWebhookEvents: operation.get('/api/webhooks/events', 'Kinds of events that webhooks can subscribe to', {
    open: true,
    query: z.object({ type: z.string().optional() }),
    output: webhooks.webhookEventsSchema,
  }),
  getWebhook: collected.get('One webhook'),
  updateWebhook: collected.update('Change a webhook', webhooks.webhookPatchSchema),
  replaceWebhook: operation.put('/api/webhooks/{id}', 'Replace a webhook', {
    body: webhooks.webhookPutSchema,
    output: webhooks.webhookSchema,
  }),
  deleteWebhook: collected.delete('Delete a webhook with its log; waiting messages are not sent'),
} as const;

const deliveryOperations = {
  pingWebhook: operation.post('/api/webhooks/{id}/ping', 'Send a ping at once and return the result', {
    status: 200,
    output: webhooks.webhookDeliverySchema,
  }),
  listWebhookDeliveries: operation.get('/api/webhooks/{id}/deliveries', 'Delivery attempts, newest first', {
    query: listQuery(equalTo('event', 'status_code', 'redelivery', 'attempt', 'message_id')),
    output: pageSchema(webhooks.webhookDeliverySchema),
  }),
  getWebhookDelivery: operation.get('/api/webhooks/{id}/deliveries/{delivery_id}', 'Delivery attempt', {
    params: deliveryParams,
    output: webhooks.webhookDeliverySchema,
  }),
  redeliverWebhookDelivery: operation.post(
    '/api/webhooks/{id}/deliveries/{delivery_id}/redelivery',
    'Send the stored payload of a delivery again',
    { status: 200, params: deliveryParams, output: z.object({}) },
  ),
} as const;

/** Limner extension: data of the webhook pages beyond CVAT's resource. */
const managerOperations = {
  getWebhookState: operation.get(
    '/api/limner/webhooks/{id}/state',
    'Waiting and failed messages, and the time of the next attempt',
    { output: webhooks.webhookStateSchema },
  ),
  listWebhookQueue: operation.get('/api/limner/webhooks/{id}/queue', 'Messages of a webhook, newest first', {
    query: listQuery(equalTo('state', 'event', 'redelivery', 'message_id')),
    output: pageSchema(webhooks.webhookMessageSchema),
  }),
  retryWebhookMessage: operation.post(
    '/api/limner/webhooks/{id}/queue/{message}/retry',
    'Retry a waiting message now',
    { status: 200, params: messageParams, output: webhooks.webhookMessageSchema },
  ),
  skipWebhookMessage: operation.post(
    '/api/limner/webhooks/{id}/queue/{message}/skip',
    'Skip a waiting message, so that the next ones are sent',
    { status: 200, params: messageParams, output: webhooks.webhookMessageSchema },
  ),
  redeliverFailedMessages: operation.post(
    '/api/limner/webhooks/{id}/redeliver_failed',
    'Resend failed and skipped messages, and retry waiting ones now',
    { status: 200, output: z.object({ redelivered: z.int(), retried_now: z.int() }) },
  ),
  getWebhookExchange: operation.get(
    '/api/limner/webhooks/{id}/deliveries/{delivery_id}/exchange',
    'HTTP request and answer of an attempt, also as a curl command',
    { params: deliveryParams, output: webhooks.webhookExchangeSchema },
  ),
  getWebhookSettings: operation.get('/api/limner/webhook-settings', 'Allowed targets of webhooks', {
    output: webhooks.webhookSettingsSchema,
  }),
  updateWebhookSettings: operation.patch(
    '/api/limner/webhook-settings',
    'As an administrator, change the allowed targets of webhooks',
    { body: webhooks.webhookSettingsPatchSchema, output: webhooks.webhookSettingsSchema },
  ),
} as const;

/** Limner extension: a test receiver on loopback for each user. */
const receiverOperations = {
  getWebhookReceiver: operation.get('/api/limner/webhook-receiver', 'Your test receiver and its requests', {
    output: webhooks.webhookReceiverSchema,
  }),
  startWebhookReceiver: operation.post(
    '/api/limner/webhook-receiver',
    'Start the test receiver on a free port of loopback',
    { status: 200, body: webhooks.receiverAnswerPatchSchema, output: webhooks.webhookReceiverSchema },
  ),
  updateWebhookReceiver: operation.patch('/api/limner/webhook-receiver', 'Change the answer of the test receiver', {
    body: webhooks.receiverAnswerPatchSchema,
    output: webhooks.webhookReceiverSchema,
  }),
  stopWebhookReceiver: operation.delete(
    '/api/limner/webhook-receiver',
    'Stop the test receiver and delete its requests',
  ),
  clearWebhookReceiver: operation.delete(
    '/api/limner/webhook-receiver/received',
    'Delete the requests of the test receiver',
  ),
} as const;

export const webhookOperations = {
  ...resourceOperations,
  ...deliveryOperations,
  ...managerOperations,
  ...receiverOperations,
} as const;
