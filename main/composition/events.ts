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
  events,
  baseUrl = () => '',
  ...house
}: Repositories &
  Pick<BaseDependencies, 'database' | 'dataDirectory' | 'workers' | 'clock' | 'log'> & {
    readonly events: EventRecorder;
    readonly baseUrl: (() => string) | undefined;
  }) {
  const { database } = house;
  const looks = createSnapshots(house, house.clock);
  const analytics = createAnalytics({ ...house, looks });
  /** For saves of annotations, which analytics follows separately. */
  const annotationChanges = createChangeEvents({ database, events, looks, baseUrl });
  const entries = createHistoryRepository(database);
  const written = createChangeHistory({ ...house, entries, looks });
  const changes = written.listener(analytics.listener(annotationChanges));
  const rows = withCompletionEvents(createRequestRepository(database), { database, events, looks, changes });
  return { analytics, changes, annotationChanges, historyEntries: entries, requestRows: analytics.ofRequests(rows) };
}
