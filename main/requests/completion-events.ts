import type { Database } from '../db/open.ts';
import type { EventRecorder } from '../webhooks/events/event-recorder.ts';
import type { WorkEvents } from '../webhooks/events/work-events.ts';
import { presentRequest } from './request-presenter.ts';
import type { RequestRepository } from './request-repository.ts';

/** Kinds of requests whose end is an event; the ends of imports are none. */
const announced: ReadonlySet<string> = new Set([
  'create:task',
  'export:annotations',
  'export:dataset',
  'export:backup',
  'merge:task',
  'merge:job',
  'calculate:quality',
]);

/** The repository, with an event in the transaction that stores the end of a request. */
export function withCompletionEvents(
  requests: RequestRepository,
  {
    database,
    events,
    work,
  }: { readonly database: Database; readonly events: EventRecorder; readonly work: WorkEvents },
): RequestRepository {
  function announce(id: string): void {
    const row = requests.get(id);
    if (!row || !announced.has(row.type)) return;
    const request = () => presentRequest(row, work.actorOf(row).baseUrl);
    events.recordCompleted({ type: row.type, request, ...work.placeOf(row) });
  }
  return {
    ...requests,
    end: (id, result) =>
      database.transaction(() => {
        requests.end(id, result);
        if (!events.isIdle()) announce(id);
        return undefined;
      })(),
  };
}
