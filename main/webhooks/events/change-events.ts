import { isDeepStrictEqual } from 'node:util';
import type { ChangeActor, Changes, Id, Look, Sight, Watched } from '../../db/changes.ts';
import type { Store } from '../../db/store.ts';
import {
  eventResources,
  type ColumnChanges,
  type EventAction,
  type EventRecorder,
  type EventResource,
  type Update,
} from './event-recorder.ts';

/** Event kinds by the property names of watched changes. */
const kindOf: ReadonlyMap<string, EventResource> = new Map(eventResources.map((kind) => [`${kind}s`, kind]));

/** Writes the events of changes to the outbox. Nothing is read while there is no webhook. */
export function createChangeEvents(dependencies: {
  readonly database: Store;
  readonly events: EventRecorder;
  readonly looks: Readonly<Record<EventResource, Look>>;
  /** Address of the service, for changes without an HTTP request. */
  readonly baseUrl: () => string;
}): Changes<EventResource> {
  const { database, events, looks, baseUrl } = dependencies;

  function record(actor: ChangeActor, action: EventAction, resource: EventResource, sight: Sight, update?: Update) {
    const object = () => sight.present(actor.baseUrl);
    events.record({ action, resource, actor, ...sight.place, object, ...(update ? { update } : {}) });
  }

  function recordUpdate(actor: ChangeActor, kind: EventResource, before: Sight, after: Sight): void {
    const changes = columnChanges(before.columns, after.columns);
    const earlier = () => (before.presentEarlier ?? before.present)(actor.baseUrl);
    if (Object.keys(changes).length > 0) record(actor, 'update', kind, after, { changes, before: earlier });
  }

  /** Snapshots of watched objects for which a webhook may expect an event, in order of their names. */
  function lookAt({ place, ...watched }: Watched<EventResource>) {
    return Object.entries(watched).flatMap(([name, ids]) => {
      const kind = kindOf.get(name);
      if (kind === undefined || (place && !events.wants('update', kind, place))) return [];
      return [...new Set(ids)].flatMap((id) => {
        const before = id === null ? undefined : looks[kind](id);
        return id !== null && before ? [{ kind, id, before }] : [];
      });
    });
  }

  function watch<Result>(actor: ChangeActor, watched: Watched<EventResource>, make: () => Result): Result {
    if (events.isIdle()) return make();
    const seen = lookAt(watched);
    const result = make();
    for (const { kind, id, before } of seen) {
      const after = looks[kind](id);
      if (after) recordUpdate(actor, kind, before, after);
    }
    return result;
  }

  function deleting(actor: ChangeActor, kind: EventResource, ids: readonly Id[]): void {
    if (events.isIdle()) return;
    for (const id of ids) {
      const sight = looks[kind](id);
      if (!sight) continue;
      // The kinds of parts are keys of the same snapshot table.
      for (const [part, partIds] of sight.parts?.() ?? []) deleting(actor, part as EventResource, partIds);
      record(actor, 'delete', kind, sight);
    }
  }

  return {
    watch,
    deleting,
    change: (actor, watched, make) => database.write(() => watch(actor, watched, make)),
    created(actor, kind, ids) {
      if (events.isIdle()) return;
      for (const id of ids) {
        const sight = looks[kind](id);
        if (sight) record(actor, 'create', kind, sight);
      }
    },
    actorOf: ({ owner_id: userId, origin }) => ({ userId, baseUrl: origin === '' ? baseUrl() : origin }),
  };
}

/** Compares an object's snapshots before and after a change. */
export function columnChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): ColumnChanges {
  const changed = Object.entries(before)
    .filter(([name, value]) => !isDeepStrictEqual(value, after[name]))
    .map(([name, from]) => [name, { from, to: after[name] }] as const);
  return Object.fromEntries(changed);
}
