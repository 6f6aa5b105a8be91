import { createAnalytics } from '../analytics/analytics.ts';
import { createChangeHistory } from '../audit-log/change-history.ts';
import { createHistoryRepository } from '../audit-log/history-repository.ts';
import { createRequestRepository } from '../background-requests/request-repository.ts';
import type { BaseDependencies } from '../db/base-dependencies.ts';
import { createChanges } from '../db/changes.ts';
import { userSnapshot } from '../users/accounts/user-service.ts';
import {
  invitationSnapshot,
  membershipSnapshot,
  organizationSnapshot,
} from '../users/organizations/organization-snapshots.ts';
import { createChangeEvents } from '../webhooks/events/change-events.ts';
import type { EventRecorder } from '../webhooks/events/event-recorder.ts';
import { createCompletionEvents } from '../webhooks/events/request-ends.ts';
import { commentSnapshot, issueSnapshot } from '../work/issues/issue-snapshots.ts';
import { jobSnapshot } from '../work/jobs/job-snapshot.ts';
import { projectSnapshot } from '../work/projects/project-snapshot.ts';
import { taskSnapshot } from '../work/tasks/task-snapshot.ts';
import type { Repositories } from './repositories.ts';

/** Connects the listeners of domain changes and of ended requests. */
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
  const { projects, tasks, jobs, labelRows, issues, users, organizations, memberships, invitations } = repositories;
  const snapshots = {
    project: projectSnapshot({ projects }),
    task: taskSnapshot({ tasks, jobs, labelRows }),
    job: jobSnapshot({ jobs, issues }),
    issue: issueSnapshot({ issues, jobs }),
    comment: commentSnapshot({ issues, jobs }),
    organization: organizationSnapshot({ organizations }),
    membership: membershipSnapshot({ memberships }),
    invitation: invitationSnapshot({ invitations, clock }),
    user: userSnapshot({ users }),
  };
  const analytics = createAnalytics({ dataDirectory, workers, users, jobs, log });
  const historyEntries = createHistoryRepository(database);
  const history = createChangeHistory({ entries: historyEntries, users, clock });
  const listeners = [createChangeEvents(events), analytics.changes, history];
  const changes = createChanges({ database, snapshots, listeners, baseUrl });
  const completion = createCompletionEvents({ events, snapshots, changes });
  const requestRows = createRequestRepository(database, [completion, analytics.aboutRequests]);
  return { analytics, changes, historyEntries, requestRows };
}
