import { queryOptions } from '@tanstack/react-query';
import type { QueueState } from '../../preload/contract/schema/webhooks.ts';
import { call } from './client.ts';
import { pageQuery, type ListQuery } from './queries.ts';

export interface DeliveryFilters {
  readonly event?: string | undefined;
  readonly outcome?: 'ok' | 'bad' | undefined;
  readonly attempt?: 'first' | 'retries' | 'redeliveries' | undefined;
  /** Header `webhook-id`. */
  readonly message?: string | undefined;
}

/** As the service counts: what is below 400 has arrived. */
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

/** Webhooks, their log and queue, and the test receiver. */
export const webhookQueries = {
  list: (list: ListQuery) =>
    queryOptions({
      queryKey: ['webhooks', 'list', list],
      queryFn: ({ signal }) => call('listWebhooks', { query: pageQuery(list), signal }),
      placeholderData: (previous) => previous,
    }),
  one: (id: number) =>
    queryOptions({
      queryKey: ['webhooks', 'one', id],
      queryFn: ({ signal }) => call('getWebhook', { params: { id }, signal }),
    }),
  state: (id: number) =>
    queryOptions({
      queryKey: ['webhooks', 'state', id],
      queryFn: ({ signal }) => call('getWebhookState', { params: { id }, signal }),
    }),
  deliveries: (id: number, list: ListQuery & DeliveryFilters) =>
    queryOptions({
      queryKey: ['webhooks', 'deliveries', id, list],
      queryFn: ({ signal }) =>
        call('listWebhookDeliveries', {
          params: { id },
          query: { ...pageQuery(list), ...deliveryQuery(list) },
          organization: null,
          signal,
        }),
      placeholderData: (previous) => previous,
    }),
  delivery: (id: number, deliveryId: number) =>
    queryOptions({
      queryKey: ['webhooks', 'delivery', id, deliveryId],
      queryFn: ({ signal }) =>
        call('getWebhookDelivery', { params: { id, delivery_id: deliveryId }, organization: null, signal }),
    }),
  exchange: (id: number, deliveryId: number) =>
    queryOptions({
      queryKey: ['webhooks', 'exchange', id, deliveryId],
      queryFn: ({ signal }) =>
        call('getWebhookExchange', { params: { id, delivery_id: deliveryId }, organization: null, signal }),
    }),
  queue: (id: number, list: ListQuery & { readonly state?: QueueState | undefined }) =>
    queryOptions({
      queryKey: ['webhooks', 'queue', id, list],
      queryFn: ({ signal }) =>
        call('listWebhookQueue', {
          params: { id },
          query: { ...pageQuery(list), state: list.state },
          organization: null,
          signal,
        }),
      placeholderData: (previous) => previous,
    }),
  policy: () =>
    queryOptions({
      queryKey: ['webhooks', 'policy'],
      queryFn: ({ signal }) => call('getWebhookSettings', { signal }),
    }),
  receiver: () =>
    queryOptions({
      queryKey: ['webhook-receiver'],
      queryFn: ({ signal }) => call('getWebhookReceiver', { signal }),
    }),
};
