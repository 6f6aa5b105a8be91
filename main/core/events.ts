import { createAnalytics } from '../administration/analytics/analytics.ts';
import { createChangeHistory, type HistoryPlace } from '../administration/history/change-history.ts';
import { createHistoryRepository } from '../administration/history/history-repository.ts';
import type { HistoryKind } from '../../preload/contract/schema/history.ts';
import type { Id } from '../db/changes.ts';
import type { HouseParts } from '../db/house-parts.ts';
import { createRequestRepository } from '../requests/request-repository.ts';
import { createChangeEvents } from '../webhooks/events/change-events.ts';
import type { EventRecorder } from '../webhooks/events/event-recorder.ts';
import { withCompletionEvents } from '../webhooks/events/request-ends.ts';
import type { Repositories } from './repositories.ts';
import { createSights } from './sights.ts';

/** Who hears of what happens: webhooks in the transaction of the change, analytics after it. */
export function createEvents({
  events,
  baseUrl = () => '',
  ...house
}: Repositories &
  Pick<HouseParts, 'database' | 'dataDirectory' | 'workers' | 'clock' | 'log'> & {
    readonly events: EventRecorder;
    readonly baseUrl: (() => string) | undefined;
  }) {
  const { database } = house;
  const looks = createSights(house, house.clock);
  const analytics = createAnalytics({ ...house, looks });
  /** For saves of annotations: analytics hears of them by their news. */
  const annotationChanges = createChangeEvents({ database, events, looks, baseUrl });
  const entries = createHistoryRepository(database);
  const written = createChangeHistory({ ...house, entries, looks, placeOf: placesIn(house) });
  const changes = written.hearing(analytics.hearing(annotationChanges));
  const rows = withCompletionEvents(createRequestRepository(database), { database, events, looks, changes });
  return { analytics, changes, annotationChanges, historyEntries: entries, requestRows: analytics.ofRequests(rows) };
}

/** The task and the job that an object is in, or is. */
const placesIn =
  ({ jobs, issues }: Pick<Repositories, 'jobs' | 'issues'>) =>
  (kind: HistoryKind, id: Id): HistoryPlace => {
    if (kind === 'task') return { taskId: Number(id), jobId: null };
    const issueId = kind === 'comment' ? issues.comment(Number(id))?.issue_id : Number(id);
    const ofIssue = kind === 'issue' || kind === 'comment' ? issues.issue(issueId ?? 0)?.job_id : undefined;
    const jobId = kind === 'job' ? Number(id) : (ofIssue ?? null);
    return { taskId: (jobId === null ? undefined : jobs.get(jobId)?.task_id) ?? null, jobId };
  };
