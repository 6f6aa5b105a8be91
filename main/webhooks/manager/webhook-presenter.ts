import type {
  Webhook,
  WebhookDelivery,
  WebhookExchange,
  WebhookMessage,
} from '../../../preload/contract/schema/webhooks.ts';
import { isoFromMs } from '../../platform/clock.ts';
import { presentUser } from '../../users/accounts/present.ts';
import type { ListedDeliveryRow } from '../store/delivery-repository.ts';
import type { ListedMessageRow } from '../store/outbox-repository.ts';
import type { WebhookRow } from '../store/webhook-repository.ts';

export function presentWebhook(row: WebhookRow, baseUrl: string): Webhook {
  return {
    id: row.id,
    url: `${baseUrl}/api/webhooks/${row.id}`,
    target_url: row.target_url,
    description: row.description,
    type: row.type,
    content_type: row.content_type,
    is_active: row.is_active === 1,
    enable_ssl: row.enable_ssl === 1,
    created_date: row.created_date,
    updated_date: row.updated_date,
    owner: presentUser({ ...row }, 'owner', baseUrl),
    project_id: row.project_id,
    project: row.project_id,
    organization: row.organization,
    events: row.events === '' ? [] : row.events.split(','),
    last_status: row.last_status ?? undefined,
    last_delivery_date: row.last_delivery_date ?? undefined,
  };
}

const ofEvent = (row: ListedDeliveryRow | ListedMessageRow) => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event: row.event,
  redelivery: row.redelivery === 1,
  changed_fields: row.changed_fields,
});

export function presentDelivery(row: ListedDeliveryRow): WebhookDelivery {
  return {
    ...ofEvent(row),
    status_code: row.status_code,
    attempt: row.attempt,
    request_duration: row.request_duration_ms,
    created_date: row.created_date,
    updated_date: row.updated_date,
    request: JSON.parse(row.body) as WebhookDelivery['request'],
    response: row.response,
  };
}

export function presentMessage(row: ListedMessageRow): WebhookMessage {
  return {
    ...ofEvent(row),
    message_id: row.message_id,
    state: row.state,
    reason: row.reason,
    attempts: row.attempts,
    last_status: row.last_status,
    created_date: isoFromMs(row.created_ms),
    next_attempt_date: row.state === 'waiting' && row.attempts > 0 ? isoFromMs(row.next_attempt_ms) : null,
  };
}

export function presentExchange(row: ListedDeliveryRow, message: ListedMessageRow): WebhookExchange {
  const headers = JSON.parse(row.request_headers) as Record<string, string>;
  const request = { url: row.target_url, headers, body: row.body };
  return {
    ...request,
    method: 'POST',
    curl: curlCommand(request),
    status_code: row.status_code,
    response_headers: JSON.parse(row.response_headers) as Record<string, string>,
    response: row.response,
    message: presentMessage(message),
  };
}

/** A POST as a curl command for a POSIX shell, with the same bytes and headers. */
export function curlCommand({ url, headers, body }: Pick<WebhookExchange, 'url' | 'headers' | 'body'>): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl --globoff -X POST', ...options, `--data-raw ${quoted(body)}`, quoted(url)].join(' ');
}

/** Inside single quotes only the quote itself is special. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
