import type { Changes, Look } from '../../db/changes.ts';
import type { Store } from '../../db/store.ts';
import { presentRequest } from '../../background-requests/request-presenter.ts';
import type { RequestRepository, RequestRow } from '../../background-requests/request-repository.ts';
import type { EventRecorder } from './event-recorder.ts';

/** Types of background requests whose end is an event; imports are not among them. */
const announced: ReadonlySet<string> = new Set([
  'create:task',
  'export:annotations',
  'export:dataset',
  'export:backup',
  'merge:task',
  'merge:job',
  'calculate:quality',
]);

/** Wraps the repository: records an event in the transaction that stores the end of a request. */
export function withCompletionEvents(
  requests: RequestRepository,
  {
    database,
    events,
    looks,
    changes,
  }: {
    readonly database: Store;
    readonly events: EventRecorder;
    readonly looks: Readonly<Record<'project' | 'task', Look>>;
    readonly changes: Pick<Changes<never>, 'actorOf'>;
  },
): RequestRepository {
  function placeOf({ task_id: taskId, project_id: projectId, organization_id: organizationId }: RequestRow) {
    const sight =
      (taskId === null ? undefined : looks.task(taskId)) ?? (projectId === null ? undefined : looks.project(projectId));
    return sight?.place ?? { projectId, organizationId };
  }
  function announce(id: string): void {
    const row = requests.get(id);
    if (!row || !announced.has(row.type)) return;
    const request = () => presentRequest(row, changes.actorOf(row).baseUrl);
    events.recordCompleted({ type: row.type, request, ...placeOf(row) });
  }
  return {
    ...requests,
    end: (id, result) =>
      database.write(() => {
        requests.end(id, result);
        if (!events.isIdle()) announce(id);
        return undefined;
      }),
  };
}
