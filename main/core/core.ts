import { rm } from 'node:fs/promises';
import type { Database } from '../db/open.ts';
import { createFormatCatalog, type FormatCatalog } from '../formats/format-catalog.ts';
import { createMediaFrames, type MediaFrames } from '../media/media-frames.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import type { WorkerPool } from '../platform/worker-pool.ts';
import { createChangeRepository } from './annotations/annotation-change-repository.ts';
import { createAnnotationChangeService } from './annotations/annotation-change-service.ts';
import { createAnnotationCleaner } from './annotations/annotation-cleaner.ts';
import { createLabelUses } from './annotations/label-use-repository.ts';
import { createAnnotationRepository } from './annotations/annotation-repository.ts';
import { createAnnotationService } from './annotations/annotation-service.ts';
import { createAnnotationSetRepository } from './annotations/annotation-set-repository.ts';
import { createChangeKeeper } from './annotations/change-keeper.ts';
import { createIdempotencyRepository } from './annotations/idempotency-repository.ts';
import { createActivityService, createEventExportRunner } from './activity/activity-service.ts';
import { createBackupExportRunner } from './backups/backup-export-runner.ts';
import { createBackupImportRunner } from './backups/backup-import-runner.ts';
import { createBackupRestorer } from './backups/backup-restorer.ts';
import { createBackupService } from './backups/backup-service.ts';
import { createDatasetImportRunner } from './dataset-import/dataset-import-runner.ts';
import { createDatasetService, createExportRunner, createImportRunner } from './datasets/dataset-service.ts';
import { createGarbageCollector } from './datasets/garbage-collector.ts';
import { createIssueEvents } from './events/issue-events.ts';
import { createMemberEvents } from './events/member-events.ts';
import { createWorkEvents } from './events/work-events.ts';
import { createFunctions, type FunctionOptions } from './functions/functions.ts';
import { createGuideRepository } from './guides/guide-repository.ts';
import { createGuideService } from './guides/guide-service.ts';
import { createIntake } from './intake/intake.ts';
import { createIssueRepository } from './issues/issue-repository.ts';
import { createIssueService } from './issues/issue-service.ts';
import { createGroundTruthService } from './jobs/ground-truth-service.ts';
import { createJobRepository } from './jobs/job-repository.ts';
import { createJobService } from './jobs/job-service.ts';
import { createLabelAccess } from './labels/label-access.ts';
import { createLabelRepository } from './labels/label-repository.ts';
import { createLabelService } from './labels/label-service.ts';
import { createInvitationRepository } from './organizations/invitation-repository.ts';
import { createInvitationService } from './organizations/invitation-service.ts';
import { createMembershipRepository } from './organizations/membership-repository.ts';
import { createMembershipService } from './organizations/membership-service.ts';
import { createOrganizationMover } from './organizations/organization-mover.ts';
import { createOrganizationRepository } from './organizations/organization-repository.ts';
import { createOrganizationService } from './organizations/organization-service.ts';
import { createPeople } from './people.ts';
import { createProjectRepository } from './projects/project-repository.ts';
import { createProjectService } from './projects/project-service.ts';
import { withCompletionEvents } from './requests/completion-events.ts';
import { createRequestQueue } from './requests/request-queue.ts';
import { createRequestRepository } from './requests/request-repository.ts';
import { createRequestService } from './requests/request-service.ts';
import { createRequestUploads } from './requests/request-uploads.ts';
import { createFrameService } from './tasks/frame-service.ts';
import { createMediaRepository } from './tasks/media-repository.ts';
import { createTaskDataRunner, createTaskDataService } from './tasks/task-data-service.ts';
import { mediaDirectory } from './tasks/task-media.ts';
import { createProjectMover } from './tasks/project-mover.ts';
import { createRelabelRepository } from './tasks/relabel-repository.ts';
import { createTaskRemover } from './tasks/task-remover.ts';
import { createTaskRepository } from './tasks/task-repository.ts';
import { createTaskService } from './tasks/task-service.ts';
import { createUserRepository } from './users/user-repository.ts';
import { createWebhooks, type WebhookOptions } from './webhooks/webhooks.ts';
import { createWorkAccess, type WorkAccess } from './work-access.ts';

export type Core = ReturnType<typeof createCore>;

export interface CoreDependencies {
  readonly database: Database;
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
  const exportRunner = createExportRunner(shared);
  const intake = createIntake({ database, dataDirectory, log, tasks, media, jobs, sets });
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
      'export:annotations': exportRunner,
      'export:dataset': exportRunner,
      'import:annotations': createImportRunner({ ...shared, ids: intake.ids }),
      'import:dataset': createDatasetImportRunner({ ...shared, labels: labelRows, intake }),
      'export:events': createEventExportRunner(shared),
      'export:backup': createBackupExportRunner(shared),
      'import:backup': createBackupImportRunner({
        ...shared,
        labels: labelRows,
        intake,
        restorer: createBackupRestorer(database, dataDirectory),
      }),
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
    datasets: createDatasetService(shared, requests),
    formats,
    activity: createActivityService(shared, requests),
    backups: createBackupService({ access }, requests),
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
      intake.recover();
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
