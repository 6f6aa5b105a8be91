import type { Changes, Snapshots } from '../../db/changes.ts';
import { presentRequest } from '../../background-requests/request-presenter.ts';
import type { RequestEndListener, RequestRow } from '../../background-requests/request-repository.ts';
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

/** Records an event in the transaction that stores the end of a request. */
export function createCompletionEvents({
  events,
  snapshots,
  changes,
}: {
  readonly events: EventRecorder;
  readonly snapshots: Snapshots<'project' | 'task'>;
  readonly changes: Pick<Changes<never>, 'actorOf'>;
}): RequestEndListener {
  function placeOf({ task_id: taskId, project_id: projectId, organization_id: organizationId }: RequestRow) {
    const snapshot =
      (taskId === null ? undefined : snapshots.task(taskId)) ??
      (projectId === null ? undefined : snapshots.project(projectId));
    return snapshot?.place() ?? { projectId, organizationId };
  }
  return (row) => {
    if (events.isIdle() || !announced.has(row.type)) return;
    const actor = changes.actorOf(row);
    const request = () => presentRequest(row, actor.baseUrl);
    events.recordCompleted({ type: row.type, actor, request, ...placeOf(row) });
  };
}
