import { createAnalytics } from '../administration/analytics/analytics.ts';
import type { Database } from '../db/open.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import type { WorkerPool } from '../platform/worker-pool.ts';
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
}: Repositories & {
  readonly database: Database;
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly baseUrl: (() => string) | undefined;
}) {
  const { database } = house;
  const looks = createSights(house, house.clock);
  const analytics = createAnalytics({ ...house, looks });
  /** For saves of annotations: analytics hears of them by their news. */
  const annotationChanges = createChangeEvents({ database, events, looks, baseUrl });
  const changes = analytics.hearing(annotationChanges);
  const rows = withCompletionEvents(createRequestRepository(database), { database, events, looks, changes });
  return { analytics, changes, annotationChanges, requestRows: analytics.ofRequests(rows) };
}
