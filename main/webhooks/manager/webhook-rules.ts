import { isIP } from 'node:net';
import {
  eventKinds,
  webhookTypes,
  type WebhookEvents,
  type WebhookType,
} from '../../../preload/contract/schema/webhooks.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { addressKind } from '../../platform/network/address-policy.ts';

/**
 * Validates a receiver's URL and returns it unchanged.
 * @throws AppError 400 unless it is http or https with a dotted host name, `localhost` or an allowed IP address; the
 * addresses of a name are checked on connection
 */
export function checkTargetUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidField('target_url', 'Enter a valid URL that begins with http:// or https://.');
  }
  const isHost = url.hostname.includes('.') || url.hostname.startsWith('[') || url.hostname === 'localhost';
  if (!isHost) {
    throw invalidField('target_url', 'Enter a URL whose host is a dotted name, "localhost" or an IP address.');
  }
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && addressKind(address) === 'never') {
    throw invalidField(
      'target_url',
      `${address} is a link-local, metadata or reserved address. Choose another target.`,
    );
  }
  return text;
}

/**
 * Normalizes events for the store: sorted, unique, comma-separated.
 * @throws AppError 400 for an unknown event, or one that is invalid for this webhook type
 */
export function checkEvents(events: readonly string[], type: WebhookType): string {
  const kinds = new Map(eventKinds.map((kind) => [kind.key, kind]));
  for (const key of events) {
    if (!kinds.has(key)) throw invalidField('events', `"${key.slice(0, 100)}" is not a valid choice.`);
  }
  if (events.some((key) => kinds.get(key)?.types.includes(type) !== true)) {
    const message = `Invalid events list for ${type} webhook`;
    throw new AppError('invalid', message, { non_field_errors: [message] });
  }
  return [...new Set(events)].sort().join(',');
}

export type WebhookPlace =
  | { readonly type: 'project'; readonly projectId: number }
  | { readonly type: 'organization'; readonly organizationId: number }
  | { readonly type: 'server' };

/** @throws AppError 400 if type, project and organization contradict each other */
export function checkPlace(
  body: {
    readonly type: WebhookType;
    readonly project_id?: number | null;
    readonly project?: number | null;
  },
  organizationId: number | null,
): WebhookPlace {
  const { type, project_id: id, project } = body;
  if (id !== undefined && project !== undefined && id !== project) {
    throw invalidField('project', '"project" and "project_id" name different projects. One of them is enough.');
  }
  const projectId = id ?? project ?? null;
  if (type === 'project') {
    if (projectId !== null) return { type, projectId };
    throw invalidField('project_id', 'A project webhook needs a project: send its id as project_id.');
  }
  if (projectId !== null) {
    const message = `A webhook of type "${type}" has no project. Leave it out, or choose type "project".`;
    throw invalidField('project_id', message);
  }
  if (type === 'server') return { type };
  if (organizationId !== null) return { type, organizationId };
  const message = 'An organization webhook needs an organization: name it by "org", "org_id" or X-Organization.';
  throw new AppError('invalid', message, { organization: [message] });
}

/**
 * The answer of `GET /api/webhooks/events`.
 * @throws AppError 400 with a JSON string
 */
export function eventsOfType(type: string): WebhookEvents {
  if (!isWebhookType(type) && type !== 'all') {
    const message = 'Incorrect value of type parameter';
    throw new AppError('invalid', message, message);
  }
  const kinds = type === 'all' ? eventKinds : eventKinds.filter((kind) => kind.types.includes(type));
  return { webhook_type: type, events: kinds.map(({ key, group }) => ({ key, group: { display_name: group } })) };
}

const isWebhookType = (text: string): text is WebhookType => (webhookTypes as readonly string[]).includes(text);
