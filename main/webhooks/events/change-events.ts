import type { ChangeListener } from '../../db/changes.ts';
import type { EventRecorder, EventResource } from './event-recorder.ts';

/** Writes the events of domain changes to the outbox. Nothing is read while there is no webhook. */
export const createChangeEvents = (events: EventRecorder): ChangeListener<EventResource> => ({
  presents: true,
  wants: ({ action, kind, place }) =>
    !events.isIdle() && (action !== 'update' || !place || events.wants(action, kind, place)),
  record(actor, changes) {
    for (const { action, kind, snapshot, update } of changes) {
      const earlier = update && (update.before.presentEarlier ?? update.before.present);
      events.record({
        action,
        resource: kind,
        actor,
        ...snapshot.place(),
        object: () => snapshot.present(actor.baseUrl),
        update: update && earlier ? { changes: update.columns, before: () => earlier(actor.baseUrl) } : undefined,
      });
    }
    return undefined;
  },
});
