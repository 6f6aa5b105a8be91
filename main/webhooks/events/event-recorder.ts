import { randomUUID } from 'node:crypto';
import type { BasicUser } from '../../../preload/contract/schema/common.ts';
import type { ChangeActor, ColumnChanges, Place } from '../../db/changes.ts';
import type { Store } from '../../db/store.ts';
import { basicUser, type UserColumns } from '../../users/accounts/present.ts';
import type { OutboxRepository } from '../store/outbox-repository.ts';
import type { Subscription } from '../store/webhook-repository.ts';
import { pythonJson } from '../store/python-json.ts';
import type { Subscriptions } from './subscriptions.ts';
import { defined } from '../../platform/defined.ts';

export type EventAction = 'create' | 'update' | 'delete';
export const eventResources = [
  'project',
  'task',
  'job',
  'issue',
  'comment',
  'organization',
  'membership',
  'invitation',
  'user',
] as const;
export type EventResource = (typeof eventResources)[number];

export interface ResourceEvent extends Place {
  readonly action: EventAction;
  readonly resource: EventResource;
  readonly actor: ChangeActor;
  /** The resource as its REST endpoint returns it, after the change or before its deletion. Called at most once. */
  readonly object: () => object;
  /** Updates only. */
  readonly update?: Update;
}

export interface Update {
  /** By database columns, as CVAT's clients read them: `assignee_id`. */
  readonly changes: ColumnChanges;
  /** Old values by the keys of `object`: `assignee`. Missing keys are not compared. */
  readonly before: () => object;
}

/** An ended background request. */
export interface CompletedEvent extends Place {
  /** For example `export:dataset`. */
  readonly type: string;
  /** User who started the request. */
  readonly actor: ChangeActor;
  /** Answer of `GET /api/requests/{id}`. */
  readonly request: () => object;
}

export type EventRecorder = ReturnType<typeof createEventRecorder>;

/**
 * Writes an event to the outbox, once for each subscribed webhook, inside the transaction of the causing change, so
 * that both are stored or neither is. Payloads are created only if a webhook subscribes to the event.
 *
 * An event goes to the active webhooks of the object's organization and project, and to those of the server. An object that moves to another
 * organization is deleted for the webhooks of the old one and created for those of the new one. The webhooks of both
 * projects receive the update of a task that moves between them.
 */
export function createEventRecorder(dependencies: {
  readonly database: Store;
  readonly subscriptions: Subscriptions;
  readonly outbox: Pick<OutboxRepository, 'insert'>;
  readonly users: { get(id: number): UserColumns | undefined };
  readonly nowMs: () => number;
  /** Called inside the transaction; the sender must read after its end. */
  readonly onRecorded: (webhookIds: readonly number[]) => void;
}) {
  const { database, subscriptions, outbox, users, nowMs, onRecorded } = dependencies;

  function store(subscribers: readonly Subscription[], key: string, changedFields: string, head: string): void {
    if (!database.isInTransaction) throw new Error('An event is recorded inside the transaction of its change.');
    for (const { id } of subscribers) {
      outbox.insert({
        webhook_id: id,
        message_id: newMessageId(),
        event: key,
        changed_fields: changedFields,
        redelivery: 0,
        created_ms: nowMs(),
        body: withWebhookId(head, id),
      });
    }
    onRecorded(subscribers.map(({ id }) => id));
  }

  function sender({ userId, baseUrl }: ChangeActor): BasicUser | null {
    const user = userId === null ? undefined : users.get(userId);
    return user === undefined ? null : basicUser(user, baseUrl);
  }

  function deliver(event: ResourceEvent, action: EventAction, subscribers: readonly Subscription[], object: object) {
    const key = `${action}:${event.resource}`;
    const update = action === 'update' ? event.update : undefined;
    const before = update && { ...oldValues(update.changes), ...changedKeys(update.before(), object) };
    const payload = {
      event: key,
      [event.resource]: object,
      ...defined({ before_update: update ? before : undefined, changes: update?.changes }),
      sender: sender(event.actor),
    };
    store(subscribers, key, Object.keys(before ?? {}).join(','), pythonJson(payload));
  }

  /** Webhooks by the action that they receive for the event. */
  function audiences(event: ResourceEvent): [EventAction, Subscription[]][] {
    const { action, resource, projectId, organizationId } = event;
    const key = (of: EventAction) => `${of}:${resource}`;
    const left = action === 'update' ? event.update?.changes['project_id'] : undefined;
    const ofProject = [
      ...subscriptions.ofProject(key(action), projectId),
      ...(left ? subscriptions.ofProject(key(action), idOf(left.from)) : []),
    ];
    const move = action === 'update' ? event.update?.changes['organization_id'] : undefined;
    if (!move) {
      const others = [...subscriptions.ofServer(key(action)), ...ofProject];
      return [[action, [...subscriptions.ofOrganization(key(action), organizationId), ...others]]];
    }
    return [
      ['delete', subscriptions.ofOrganization(key('delete'), idOf(move.from))],
      ['create', subscriptions.ofOrganization(key('create'), idOf(move.to))],
      [action, ofProject],
    ];
  }

  return {
    isIdle: subscriptions.isEmpty,
    wants: (action: EventAction, resource: EventResource, place: Place): boolean =>
      subscriptions.wants(`${action}:${resource}`, place),
    record(event: ResourceEvent): void {
      if (subscriptions.isEmpty()) return;
      let object: object | null = null;
      for (const [action, subscribers] of audiences(event)) {
        if (subscribers.length > 0) deliver(event, action, subscribers, (object ??= event.object()));
      }
    },
    recordCompleted({ type, actor, request, projectId, organizationId }: CompletedEvent): void {
      if (subscriptions.isEmpty()) return;
      const key = `completed:request[${type}]`;
      const subscribers = [
        ...subscriptions.ofOrganization(key, organizationId),
        ...subscriptions.ofProject(key, projectId),
      ];
      if (subscribers.length === 0) return;
      store(subscribers, key, '', pythonJson({ event: key, request: request(), sender: sender(actor) }));
    },
  };
}

export const newMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;

const withWebhookId = (head: string, id: number): string => `${head.slice(0, -1)}, "webhook_id": ${id}}`;

const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const oldValues = (changes: ColumnChanges) =>
  Object.fromEntries(Object.entries(changes).map(([name, { from }]) => [name, from]));

/** Old values of the keys that changed. */
function changedKeys(before: object, after: object): Record<string, unknown> {
  const now = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(([key, value]) => pythonJson(value) !== pythonJson(now.get(key))),
  );
}
