import type { Webhook, WebhookType } from '../../../../preload/contract/schema/webhooks.ts';
import { randomText } from '../../../shared/code/one-time-secret.tsx';
import { allEvents, isEverything } from './event-text.ts';

export interface WebhookValues {
  readonly target_url: string;
  readonly description: string;
  readonly type: WebhookType;
  readonly projectId: number | null;
  readonly organization: string | null;
  readonly secret: string;
  readonly removeSecret: boolean;
  readonly enable_ssl: boolean;
  readonly is_active: boolean;
  readonly everything: boolean;
  readonly events: readonly string[];
}

export const emptyWebhook = (projectId: number | null, organization: string | null): WebhookValues => ({
  target_url: '',
  description: '',
  type: projectId === null && organization !== null ? 'organization' : 'project',
  projectId,
  organization,
  secret: '',
  removeSecret: false,
  enable_ssl: true,
  is_active: true,
  everything: true,
  events: [],
});

export const valuesOfWebhook = (webhook: Webhook): WebhookValues => ({
  ...emptyWebhook(webhook.project_id, null),
  type: webhook.type,
  target_url: webhook.target_url,
  description: webhook.description,
  enable_ssl: webhook.enable_ssl,
  is_active: webhook.is_active,
  everything: isEverything(webhook.type, webhook.events),
  events: webhook.events,
});

/** Drops kinds that the type does not support, after it was changed. */
const eventsOfValues = ({ type, everything, events }: WebhookValues): string[] =>
  everything ? [...allEvents(type)] : allEvents(type).filter((key) => events.includes(key));

/** Body with the fields that can always be changed. Includes the secret only if it was typed or removed. */
export const writableOfValues = (values: WebhookValues) => ({
  target_url: values.target_url.trim(),
  description: values.description.trim(),
  enable_ssl: values.enable_ssl,
  is_active: values.is_active,
  events: eventsOfValues(values),
  ...(values.secret !== '' || values.removeSecret ? { secret: values.secret } : {}),
});

/** 32 random bytes as text: 43 characters, of at most 64 that the service stores. */
export const randomSecret = (): string => randomText(32);
