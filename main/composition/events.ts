import { createAnalytics } from '../analytics/analytics.ts';
import { createChangeHistory } from '../audit-log/change-history.ts';
import { createHistoryRepository } from '../audit-log/history-repository.ts';
import type { BaseDependencies } from '../db/base-dependencies.ts';
import { createRequestRepository } from '../background-requests/request-repository.ts';
import { createChangeEvents } from '../webhooks/events/change-events.ts';
import type { EventRecorder } from '../webhooks/events/event-recorder.ts';
import { withCompletionEvents } from '../webhooks/events/request-ends.ts';
import type { Repositories } from './repositories.ts';
import { createSnapshots } from './snapshots.ts';

/** Connects listeners to changes: webhooks inside the transaction, analytics after it. */
export function createEvents({
  database,
  dataDirectory,
  workers,
  clock,
  log,
  repositories,
  events,
  baseUrl = () => '',
}: Pick<BaseDependencies, 'database' | 'dataDirectory' | 'workers' | 'clock' | 'log'> & {
  readonly repositories: Repositories;
  readonly events: EventRecorder;
  readonly baseUrl: (() => string) | undefined;
}) {
  const { users, jobs } = repositories;
  const looks = createSnapshots(repositories, clock);
  const analytics = createAnalytics({ dataDirectory, workers, users, jobs, log, looks });
  /** For saves of annotations, which analytics follows separately. */
  const annotationChanges = createChangeEvents({ database, events, looks, baseUrl });
  const entries = createHistoryRepository(database);
  const written = createChangeHistory({ users, clock, entries, looks });
  const changes = written.listener(analytics.listener(annotationChanges));
  const rows = withCompletionEvents(createRequestRepository(database), { database, events, looks, changes });
  return { analytics, changes, annotationChanges, historyEntries: entries, requestRows: analytics.ofRequests(rows) };
}
