import type { Webhook, WebhookType } from '../../../../preload/contract/schema/webhooks.ts';
import { randomText } from '../../../parts/code/random-text.ts';
import { allEvents, isEverything } from './event-text.ts';

/** What the form of a webhook holds. */
export interface WebhookValues {
  readonly target_url: string;
  readonly description: string;
  readonly type: WebhookType;
  readonly projectId: number | null;
  /** Slug. */
  readonly organization: string | null;
  readonly secret: string;
  /** Takes away a secret that is set. */
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

/** Kinds that may not be chosen for the type (after it was changed) are left out. */
const eventsOfValues = ({ type, everything, events }: WebhookValues): string[] =>
  everything ? [...allEvents(type)] : allEvents(type).filter((key) => events.includes(key));

/** What is sent for the fields that may always be changed. The secret goes only where it was typed or taken away. */
export const writableOfValues = (values: WebhookValues) => ({
  target_url: values.target_url.trim(),
  description: values.description.trim(),
  enable_ssl: values.enable_ssl,
  is_active: values.is_active,
  events: eventsOfValues(values),
  ...(values.secret !== '' || values.removeSecret ? { secret: values.secret } : {}),
});

/** 32 random bytes as text: 43 characters, of which the service keeps up to 64. */
export const randomSecret = (): string => randomText(32);
