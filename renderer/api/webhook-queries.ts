import type { QueueState } from '../../preload/contract/schema/webhooks.ts';
import { operationQuery, keepsPrevious } from './query-options.ts';
import { pageQuery, type ListQuery } from './queries.ts';

export interface DeliveryFilters {
  readonly event?: string | undefined;
  readonly outcome?: 'ok' | 'bad' | undefined;
  readonly attempt?: 'first' | 'retries' | 'redeliveries' | undefined;
  /** Header `webhook-id`. */
  readonly message?: string | undefined;
}

/** By the service's rule: a status below 400 is delivered. */
const statusRules = {
  ok: { '<': [{ var: 'status_code' }, 400] },
  bad: { '>=': [{ var: 'status_code' }, 400] },
} as const;

const deliveryQuery = ({ event, outcome, attempt, message }: DeliveryFilters) => {
  const rules = [
    ...(outcome === undefined ? [] : [statusRules[outcome]]),
    ...(attempt === 'retries' ? [{ '>': [{ var: 'attempt' }, 1] }] : []),
  ];
  return {
    event,
    message_id: message,
    attempt: attempt === 'first' ? '1' : undefined,
    redelivery: attempt === 'redeliveries' ? 'true' : undefined,
    filter: rules.length === 0 ? undefined : JSON.stringify({ and: rules }),
  };
};

export const webhookQueries = {
  list: (list: ListQuery) =>
    operationQuery(['webhooks', 'list', list], 'listWebhooks', { query: pageQuery(list) }, keepsPrevious),
  one: (id: number) => operationQuery(['webhooks', 'one', id], 'getWebhook', { params: { id } }),
  state: (id: number) => operationQuery(['webhooks', 'state', id], 'getWebhookState', { params: { id } }),
  deliveries: (id: number, list: ListQuery & DeliveryFilters) =>
    operationQuery(
      ['webhooks', 'deliveries', id, list],
      'listWebhookDeliveries',
      { params: { id }, query: { ...pageQuery(list), ...deliveryQuery(list) }, organization: null },
      keepsPrevious,
    ),
  delivery: (id: number, deliveryId: number) =>
    operationQuery(['webhooks', 'delivery', id, deliveryId], 'getWebhookDelivery', {
      params: { id, delivery_id: deliveryId },
      organization: null,
    }),
  exchange: (id: number, deliveryId: number) =>
    operationQuery(['webhooks', 'exchange', id, deliveryId], 'getWebhookExchange', {
      params: { id, delivery_id: deliveryId },
      organization: null,
    }),
  queue: (id: number, list: ListQuery & { readonly state?: QueueState | undefined }) =>
    operationQuery(
      ['webhooks', 'queue', id, list],
      'listWebhookQueue',
      { params: { id }, query: { ...pageQuery(list), state: list.state }, organization: null },
      keepsPrevious,
    ),
  policy: () => operationQuery(['webhooks', 'policy'], 'getWebhookSettings', {}),
  receiver: () => operationQuery(['webhook-receiver'], 'getWebhookReceiver', {}),
};
