import type { webhookOperations } from '../../../../preload/contract/operations/webhooks.ts';
import type { CasesOf } from '../operation-case.ts';
import { nowhere, type OperationWorld } from '../operation-world.ts';

const webhook = ({ project }: OperationWorld, more: object = {}) => ({
  target_url: nowhere,
  type: 'project' as const,
  project_id: project.id,
  events: ['update:task'],
  ...more,
});

export const webhookCases: CasesOf<typeof webhookOperations> = {
  listWebhooks: { good: ({ newWebhook }) => newWebhook().then(() => ({})), denied: 'sees less' },
  createWebhook: {
    good: (world) => ({ body: webhook(world) }),
    bad: (world) => [
      [400, { body: webhook(world, { target_url: 'no address' }) }],
      [400, { body: webhook(world, { events: ['some:event'] }) }],
      [400, { body: webhook(world, { events: ['create:project'] }) }],
      [400, { body: webhook(world, { project_id: 987_654 }) }],
      [400, { body: webhook(world, { content_type: 'text/plain' }) }],
      [404, { query: { org: 'nobody' } }],
    ],
  },
  listWebhookEvents: {
    good: () => ({ query: { type: 'project' } }),
    denied: 'everybody',
    bad: () => [[400, { query: { type: 'planet' } }]],
  },
  getWebhook: { good: async ({ newWebhook }) => ({ params: { id: await newWebhook() } }) },
  updateWebhook: {
    good: async ({ newWebhook }) => ({ params: { id: await newWebhook() }, body: { is_active: false } }),
    bad: () => [
      [400, { body: { target_url: 'no address' } }],
      [400, { body: { events: ['create:project'] } }],
    ],
  },
  replaceWebhook: {
    good: async (world) => ({ params: { id: await world.newWebhook() }, body: webhook(world) }),
    bad: (world) => [[400, { body: webhook(world, { events: ['some:event'] }) }]],
  },
  deleteWebhook: { good: async ({ newWebhook }) => ({ params: { id: await newWebhook() } }) },
  pingWebhook: { good: async ({ newWebhook }) => ({ params: { id: await newWebhook() } }) },
  listWebhookDeliveries: { good: async ({ newDelivery }) => ({ params: { id: (await newDelivery()).id } }) },
  getWebhookDelivery: { good: async ({ newDelivery }) => ({ params: await newDelivery() }) },
  redeliverWebhookDelivery: { good: async ({ newDelivery }) => ({ params: await newDelivery() }) },
  getWebhookState: { good: async ({ newWebhook }) => ({ params: { id: await newWebhook() } }) },
  listWebhookQueue: { good: async ({ newMessage }) => ({ params: { id: (await newMessage()).id } }) },
  retryWebhookMessage: { good: async ({ newMessage }) => ({ params: await newMessage() }) },
  skipWebhookMessage: { good: async ({ newMessage }) => ({ params: await newMessage() }) },
  redeliverFailedMessages: { good: async ({ newWebhook }) => ({ params: { id: await newWebhook() } }) },
  getWebhookExchange: { good: async ({ newDelivery }) => ({ params: await newDelivery() }) },
  getWebhookSettings: { good: () => ({}), denied: 'everybody', takesAnything: true },
  updateWebhookSettings: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { allow_loopback: true } }),
    bad: () => [[400, { raw: { allow_loopback: 'sometimes' } }]],
  },
  getWebhookReceiver: { good: () => ({}), denied: 'everybody', takesAnything: true },
  startWebhookReceiver: {
    good: () => ({ body: { answer_status: 204 } }),
    denied: 'everybody',
    bad: () => [[400, { body: { answer_status: 42 } }]],
  },
  updateWebhookReceiver: {
    good: () => ({ body: { answer_delay_ms: 10 } }),
    denied: 'everybody',
    bad: () => [[400, { body: { answer_delay_ms: -1 } }]],
  },
  stopWebhookReceiver: { good: () => ({}), denied: 'everybody', takesAnything: true },
  clearWebhookReceiver: {
    good: ({ boss }) => boss.good('startWebhookReceiver', { body: {} }).then(() => ({})),
    denied: 'everybody',
    takesAnything: true,
  },
};
