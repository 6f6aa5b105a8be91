import { rm } from 'node:fs/promises';
import type { Database } from './db/open.ts';
import type { Commits } from './db/store/commits.ts';
import { createFormatCatalog, type FormatCatalog } from './formats/format-catalog.ts';
import { createMediaFrames, type MediaFrames } from './media/media-frames.ts';
import type { Clock } from './platform/clock.ts';
import type { Logger } from './platform/log.ts';
import type { WorkerPool } from './platform/worker-pool.ts';
import { createChangeRepository } from './work/annotations/annotation-change-repository.ts';
import { createAnnotationChangeService } from './work/annotations/annotation-change-service.ts';
import { createAnnotationCleaner } from './work/annotations/annotation-cleaner.ts';
import { createLabelUses } from './work/annotations/label-use-repository.ts';
import { createAnnotationRepository } from './work/annotations/annotation-repository.ts';
import { createAnnotationService } from './work/annotations/annotation-service.ts';
import { createAnnotationSetRepository } from './work/annotations/annotation-set-repository.ts';
import { createChangeKeeper } from './work/annotations/change-keeper.ts';
import { createIdempotencyRepository } from './work/annotations/idempotency-repository.ts';
import { createActivityService, createEventExportRunner } from './administration/activity/activity-service.ts';
import { createGarbageCollector } from './transfer/store/garbage-collector.ts';
import { createTransfer } from './transfer/transfer.ts';
import { createIssueEvents } from './webhooks/events/issue-events.ts';
import { createMemberEvents } from './webhooks/events/member-events.ts';
import { createWorkEvents } from './webhooks/events/work-events.ts';
import { createFunctions, type FunctionOptions } from './models/functions.ts';
import { createGuideRepository } from './work/guides/guide-repository.ts';
import { createGuideService } from './work/guides/guide-service.ts';
import { createIssueRepository } from './work/issues/issue-repository.ts';
import { createIssueService } from './work/issues/issue-service.ts';
import { createGroundTruthService } from './work/jobs/ground-truth-service.ts';
import { createJobRepository } from './work/jobs/job-repository.ts';
import { createJobService } from './work/jobs/job-service.ts';
import { createLabelAccess } from './work/labels/label-access.ts';
import { createLabelRepository } from './work/labels/label-repository.ts';
import { createLabelService } from './work/labels/label-service.ts';
import { createInvitationRepository } from './people/organizations/invitation-repository.ts';
import { createInvitationService } from './people/organizations/invitation-service.ts';
import { createMembershipRepository } from './people/organizations/membership-repository.ts';
import { createMembershipService } from './people/organizations/membership-service.ts';
import { createOrganizationMover } from './work/projects/organization-mover.ts';
import { createOrganizationRepository } from './people/organizations/organization-repository.ts';
import { createOrganizationService } from './people/organizations/organization-service.ts';
import { createPeople } from './people/users/people.ts';
import { createProjectRepository } from './work/projects/project-repository.ts';
import { createProjectService } from './work/projects/project-service.ts';
import { withCompletionEvents } from './requests/completion-events.ts';
import { createRequestQueue } from './requests/request-queue.ts';
import { createRequestRepository } from './requests/request-repository.ts';
import { createRequestService } from './requests/request-service.ts';
import { createRequestUploads } from './requests/request-uploads.ts';
import { createFrameService } from './work/tasks/frame-service.ts';
import { createMediaRepository } from './work/tasks/media-repository.ts';
import { createTaskDataRunner, createTaskDataService } from './work/tasks/task-data-service.ts';
import { mediaDirectory } from './work/tasks/task-media.ts';
import { createProjectMover } from './work/tasks/project-mover.ts';
import { createRelabelRepository } from './work/tasks/relabel-repository.ts';
import { createTaskRemover } from './work/tasks/task-remover.ts';
import { createTaskRepository } from './work/tasks/task-repository.ts';
import { createTaskService } from './work/tasks/task-service.ts';
import { createUserRepository } from './people/users/user-repository.ts';
import { createWebhooks, type WebhookOptions } from './webhooks/manager/webhooks.ts';
import { createWorkAccess, type WorkAccess } from './work/work-access.ts';

export type Core = ReturnType<typeof createCore>;

export interface CoreDependencies {
  readonly database: Database;
  readonly commits: Commits;
  readonly databaseFile: string;
  /** Root of the data directory: media lie in its `data`. */
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
  /** Without it one of the core's own, which decodes everything in this thread. */
  readonly mediaFrames?: MediaFrames;
  readonly clock: Clock;
  readonly log: Logger;
  readonly shareDirectory: () => string | null;
  /** Without it: the built-in formats only. */
  readonly formats?: FormatCatalog;
  readonly webhooks?: WebhookOptions;
  readonly functions?: FunctionOptions;
}

/** The services behind the API, over one connection to the store. */
export function createCore(dependencies: CoreDependencies) {
  const { database, databaseFile, dataDirectory, workers, clock, log } = dependencies;
  const mediaFrames = dependencies.mediaFrames ?? createMediaFrames();
  const repositories = createRepositories(database);
  const { projects, tasks, jobs, media, labelRows, sets, idempotency, users, organizations } = repositories;
  const access = createWorkAccess({ projects, tasks, jobs, users });
  const people = createPeople(users);
  const mover = createOrganizationMover({ organizations, users, projects, tasks, jobs, access });
  const eventing = createEventing(dependencies, repositories, access);
  const { webhooks, events, requestRows } = eventing;
  const garbage = createGarbageCollector({ workers, paths: { databaseFile, dataDirectory }, log });

  const changes = createChangeRepository(database);
  const keeper = createChangeKeeper({ changes, sets, clock, onDiscarded: garbage.collect });
  const cleaner = createAnnotationCleaner(database);
  const uses = createLabelUses(database);
  const labels = createLabelService({ database, labels: labelRows, cleaner, keeper, uses });
  const projectMover = createProjectMover({ labels, relabel: createRelabelRepository(database), uses, access });
  const remover = createTaskRemover({
    database,
    tasks,
    projects,
    media,
    events,
    onRemoved(taskIds) {
      garbage.collect();
      removeMedia(dependencies, mediaFrames, taskIds);
    },
  });

  const formats = dependencies.formats ?? createFormatCatalog();
  const shared = { ...dependencies, ...repositories, formats, access, events, keeper, onDiscarded: garbage.collect };
  const transfer = createTransfer(shared);
  const annotations = createAnnotationService({
    ...shared,
    annotations: createAnnotationRepository(database),
    labels: labelRows,
  });
  const frames = createFrameService({ ...shared, mediaFrames });
  const functions = createFunctions({
    ...shared,
    annotations,
    frames,
    labels: labelRows,
    users,
    log,
    options: dependencies.functions,
  });
  const queue = createRequestQueue({
    requests: requestRows,
    runners: {
      'create:task': createTaskDataRunner(shared),
      ...functions.runners,
      'export:events': createEventExportRunner(shared),
      ...transfer.runners,
    },
    uploads: createRequestUploads(dataDirectory, log),
    clock,
    log,
  });
  const member = { ...shared, events: eventing.memberEvents };
  const requests = createRequestService({ database, requests: requestRows, queue, clock });

  return {
    projects: createProjectService({ database, projects, labels, access, people, mover, remover, events, clock }),
    tasks: createTaskService({ ...shared, labels, people, mover, projectMover, remover }),
    jobs: createJobService({ database, jobs, tasks, access, people, events, clock }),
    groundTruth: createGroundTruthService({ database, jobs, tasks, media, access, people, events, clock }),
    labels: createLabelAccess({ database, labels, access }),
    annotations,
    annotationChanges: createAnnotationChangeService({ ...shared, changes, labels }),
    frames,
    functions: { ...functions, requests: functions.requestService({ requests, requestRows, queue }) },
    taskData: createTaskDataService(shared, requests),
    datasets: transfer.datasets(requests),
    formats,
    activity: createActivityService(shared, requests),
    backups: transfer.backups(requests),
    requests,
    issues: createIssueService({ ...shared, people, events: eventing.issueEvents }),
    guides: createGuideService({ ...shared, guides: createGuideRepository(database) }),
    organizations: createOrganizationService({ ...member, remover }),
    memberships: createMembershipService(member),
    invitations: createInvitationService(member),
    webhooks,
    /** For what the sign-in does to memberships. */
    memberEvents: eventing.memberEvents,
    /** Call before anything is taken in: uploads that belong to no request any more go. */
    sweepUploads: queue.sweepUploads,
    /**
     * Takes up what an earlier run left: interrupted requests begin again, leftovers of imports go.
     * @param ownEnd why that run ended, where it was by its own fault
     */
    recover(ownEnd: string | null = null): void {
      sets.discardPending();
      transfer.recover();
      idempotency.removeExpired();
      keeper.removeExpired();
      queue.recover(ownEnd);
      garbage.collect();
      webhooks.start();
      functions.recover();
    },
    housekeep(): void {
      idempotency.removeExpired();
      keeper.removeExpired();
      queue.removeExpired();
      webhooks.housekeep();
    },
    async stop(): Promise<void> {
      await queue.stop();
      await functions.stop();
      await mediaFrames.dispose();
      await garbage.stop();
      await webhooks.stop();
    },
  };
}

/** In the background. What is being made of the media ends first: it would come back after the removal. */
function removeMedia(
  { dataDirectory, log }: CoreDependencies,
  mediaFrames: MediaFrames,
  taskIds: readonly number[],
): void {
  for (const task of taskIds) {
    const directory = mediaDirectory(dataDirectory, task);
    mediaFrames
      .forget(directory)
      .then(() => rm(directory, { recursive: true, force: true }))
      .catch((error: unknown) => log.warn('Files of a deleted task could not be removed', { task, error }));
  }
}

function createRepositories(database: Database) {
  return {
    projects: createProjectRepository(database),
    tasks: createTaskRepository(database),
    jobs: createJobRepository(database),
    media: createMediaRepository(database),
    labelRows: createLabelRepository(database),
    sets: createAnnotationSetRepository(database),
    idempotency: createIdempotencyRepository(database),
    users: createUserRepository(database),
    organizations: createOrganizationRepository(database),
    memberships: createMembershipRepository(database),
    invitations: createInvitationRepository(database),
    issues: createIssueRepository(database),
  };
}

/** Webhooks, the events that the other services record for them, and the requests whose ends are events. */
function createEventing(
  dependencies: CoreDependencies,
  repositories: ReturnType<typeof createRepositories>,
  access: WorkAccess,
) {
  const { database, clock, webhooks: options } = dependencies;
  const { projects, tasks, jobs, labelRows: labels, users } = repositories;
  const webhooks = createWebhooks({ ...dependencies, options, projects, users, access });
  const baseUrl = options?.baseUrl ?? (() => '');
  const issueEvents = createIssueEvents({ events: webhooks.events, issues: repositories.issues, jobs });
  const work = { events: webhooks.events, projects, tasks, jobs, labels, issues: issueEvents, baseUrl };
  const events = createWorkEvents(work);
  const requestRows = withCompletionEvents(createRequestRepository(database), {
    database,
    events: webhooks.events,
    work: events,
  });
  const memberEvents = createMemberEvents({ ...repositories, events: webhooks.events, clock });
  return { webhooks, events, issueEvents, memberEvents, requestRows };
}
