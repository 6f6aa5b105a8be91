import { eventKinds, type WebhookType } from '../../../../preload/contract/schema/webhooks.ts';
import type { TextFunction } from '../../../i18n/index.ts';
import texts from '../../../i18n/en.json' with { type: 'json' };

type EventKey = keyof typeof texts.webhookEvents;
type GroupName = keyof typeof texts.webhookGroups;

const isKnown = (key: string): key is EventKey => Object.hasOwn(texts.webhookEvents, key);
const isGroup = (name: string): name is GroupName => Object.hasOwn(texts.webhookGroups, name);

export const eventSentence = (t: TextFunction, key: string): string => (isKnown(key) ? t(`webhookEvents.${key}`) : '');

export const groupText = (t: TextFunction, name: string): string => (isGroup(name) ? t(`webhookGroups.${name}`) : name);

const actions = ['create', 'update', 'delete', 'completed'] as const;

export function eventGroups(type: WebhookType): { readonly name: string; readonly keys: readonly string[] }[] {
  const allowed = eventKinds.filter((kind) => kind.types.includes(type));
  const order = Object.keys(texts.webhookGroups);
  const place = (key: string): number => actions.findIndex((action) => key.startsWith(action));
  return [...Map.groupBy(allowed, (kind) => kind.group)]
    .map(([name, kinds]) => ({
      name,
      keys: kinds.map((kind) => kind.key).toSorted((first, second) => place(first) - place(second)),
    }))
    .toSorted((first, second) => order.indexOf(first.name) - order.indexOf(second.name));
}

export const allEvents = (type: WebhookType): readonly string[] =>
  eventKinds.filter((kind) => kind.types.includes(type)).map((kind) => kind.key);

export const isEverything = (type: WebhookType, events: readonly string[]): boolean => {
  const chosen = new Set(events);
  return allEvents(type).every((key) => chosen.has(key));
};
