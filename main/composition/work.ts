import { rm } from 'node:fs/promises';
import { createPeople } from '../users/accounts/people.ts';
import { createChangeRepository } from '../work/annotations/annotation-change-repository.ts';
import { createAnnotationChangeService } from '../work/annotations/annotation-change-service.ts';
import { createAnnotationListening } from '../work/annotations/annotation-subscriptions.ts';
import { type AnnotationFeed, createAnnotationFeed } from '../work/annotations/annotation-feed.ts';
import { createAnnotationRepository, type AnnotationRepository } from '../work/annotations/annotation-repository.ts';
import { createAnnotationService, type AnnotationService } from '../work/annotations/annotation-service.ts';
import { createFrameObjectsRepository } from '../work/annotations/frame-objects-repository.ts';
import { createReplacedAnnotations, type ReplacedAnnotations } from '../work/annotations/replaced-annotations.ts';
import { createHideLabelled } from '../work/annotations/hide-labelled.ts';
import { createLabelledRepository } from '../work/annotations/labelled-repository.ts';
import { createGuideRepository } from '../work/guides/guide-repository.ts';
import { createTextPromptService } from '../work/text-prompts/text-prompt-service.ts';
import { createGuideService } from '../work/guides/guide-service.ts';
import { createIssueService } from '../work/issues/issue-service.ts';
import { createJobService } from '../work/jobs/job-service.ts';
import { createLabelAccess } from '../work/labels/label-access.ts';
import { createAgreementService } from '../work/consensus/agreement-service.ts';
import { createConsensusRepository } from '../work/consensus/consensus-repository.ts';
import { createConsensusService } from '../work/consensus/consensus-service.ts';
import { createMergeRunner } from '../work/consensus/merge-runner.ts';
import { createReplicas } from '../work/consensus/replicas.ts';
import { createQualityRepository } from '../work/quality/quality-repository.ts';
import { createRequirementRepository } from '../work/quality/requirement-repository.ts';
import { createQualityRunner } from '../work/quality/quality-runner.ts';
import { createQualityService } from '../work/quality/quality-service.ts';
import { createLabelDates, createLabelUses } from '../work/labels/label-use-repository.ts';
import { createLabelService } from '../work/labels/label-service.ts';
import { createProjectService } from '../work/projects/project-service.ts';
import { createFrameService } from '../work/tasks/frame-service.ts';
import { createGroundTruthService } from '../work/tasks/ground-truth-service.ts';
import { createOrganizationMover } from '../work/tasks/organization-mover.ts';
import { createProjectMover } from '../work/tasks/project-mover.ts';
import { createRelabelRepository } from '../work/tasks/relabel-repository.ts';
import { createAddedImagesRunner, createAddedImagesService } from '../work/tasks/added-images.ts';
import { awaitsSending, createTaskDataRunner, createTaskDataService } from '../work/tasks/task-data-service.ts';
import { mediaDirectory } from '../work/tasks/task-media.ts';
import { createBucketManifestRunner, createBucketManifestService } from '../work/tasks/bucket-manifest.ts';
import { createRemovedFrames } from '../work/tasks/removed-frames.ts';
import { createWatchedFolders } from '../work/tasks/watched-folders.ts';
import { createWatchedFolderRepository } from '../work/tables/watched-folder-repository.ts';
import { createUnsentImages } from '../work/tasks/unsent-images.ts';
import { createUnusedImages } from '../work/tasks/unused-images.ts';
import {
  createReplacedFrameRepository,
  type ReplacedFrameRepository,
} from '../work/tables/replaced-frame-repository.ts';
import { createTaskRemover } from '../work/tasks/task-remover.ts';
import { createTaskService } from '../work/tasks/task-service.ts';
import { createLargeOverviews } from '../work/overview/large-overviews.ts';
import { createFrameSearch } from '../work/overview/frame-search.ts';
import { createOverviewRepository } from '../work/overview/overview-repository.ts';
import { createProgress, createStatistics } from '../work/overview/statistics.ts';
import type { RequestRunner } from '../background-requests/request-queue.ts';
import type { Foundation } from './foundation.ts';

/** Services of projects, tasks and jobs, and what belongs to them. */
export function createWork(foundation: Foundation, shareDirectory: () => string | null) {
  const { database, dataDirectory, clock, access, changes, analytics, garbage } = foundation;
  const { repositories } = foundation;
  const { projects, tasks, jobs, media, labelRows, sets, idempotency, users, organizations, issues } = repositories;
  const people = createPeople(users);
  const news = createAnnotationFeed(database);
  news.follow(analytics.aboutAnnotations);
  const { kept, savedFrames, unusedImages, replaced } = createUndo(foundation);
  const hiding = createHideLabelled({ replaced, labelled: createLabelledRepository(database), news });
  const touch = createLabelDates(database, clock);
  const labels = createLabelService({ database, labels: labelRows, hiding, touch });
  const mover = createOrganizationMover({ users, organizations, projects, tasks, jobs, access });
  const relabel = createRelabelRepository(database);
  const projectMover = createProjectMover({ labels, relabel, uses: createLabelUses(database), access });
  const remover = createTaskRemover({
    tasks,
    projects,
    media,
    changes,
    onRemoved(taskIds) {
      garbage.collect();
      removeMedia(foundation, taskIds);
    },
  });
  const rows = createAnnotationRepository(database);
  const annotations = createAnnotations(foundation, rows, { replaced, news });
  const { prepareTask, ...taskData } = createTaskData(foundation, shareDirectory, { replaced, frames: savedFrames });
  const growth = createGrowth(foundation, { replaced, frames: savedFrames, news }, taskData.addedImages);

  return {
    services: {
      projects: createProjectService({
        database,
        projects,
        cloudStorages: foundation.cloudStorages,
        labels,
        access,
        people,
        mover,
        remover,
        changes,
        clock,
      }),
      tasks: createTaskService({
        database,
        tasks,
        projects,
        cloudStorages: foundation.cloudStorages,
        labels,
        access,
        people,
        mover,
        projectMover,
        remover,
        changes,
        clock,
      }),
      jobs: createJobService({ database, jobs, tasks, access, people, changes, clock }),
      groundTruth: createGroundTruthService({ jobs, tasks, media, access, people, changes, clock, annotations }),
      labels: createLabelAccess({ database, labels, access }),
      annotations,
      listening: createAnnotationListening(access, users, news),
      annotationChanges: createAnnotationChangeService({
        access,
        kept,
        sets,
        replaced,
        labels,
        labelRows,
        tasks,
        jobs,
        projects,
        changes,
        clock,
        news,
        frames: savedFrames,
      }),
      frames: createFrames(foundation),
      ...growth,
      ...taskData,
      ...createOverview(foundation, rows),
      issues: createIssueService({ database, issues, jobs, access, people, changes, clock }),
      textPrompts: createTextPromptService({ database, access }),
      guides: createGuideService({
        database,
        guides: createGuideRepository(database),
        projects,
        tasks,
        access,
        dataDirectory,
        clock,
      }),
      ...createConsensus(foundation, annotations),
      quality: createQuality(foundation, annotations),
    },
    replaced,
    savedFrames,
    news,
    removeAll: remover.removeAll,
    prepareTask,
    /** Call at the start. */
    recover(): void {
      database.write(replaced.cancelUnfinished);
      annotations.recover();
      media.discardUnused();
      unusedImages.collect();
    },
    /** Call when requests can run. */
    start: growth.watchedFolders.start,
    async stop(): Promise<void> {
      await growth.watchedFolders.stop();
      await unusedImages.stop();
    },
    removeExpired(): void {
      idempotency.removeExpired();
      replaced.removeExpired();
    },
  };
}

/** Earlier annotations and images, which an undo restores. */
function createUndo({ database, dataDirectory, clock, garbage, mediaFrames, log, repositories }: Foundation) {
  const kept = createChangeRepository(database);
  const savedFrames = createReplacedFrameRepository(database);
  const unusedImages = createUnusedImages({ dataDirectory, mediaFrames, frames: savedFrames, log });
  const replaced = createReplacedAnnotations({
    changes: kept,
    sets: repositories.sets,
    clock,
    onDiscarded() {
      garbage.collect();
      unusedImages.collect();
    },
  });
  return { kept, savedFrames, unusedImages, replaced };
}

function createAnnotations(
  { database, access, changes, clock, repositories }: Foundation,
  rows: AnnotationRepository,
  undo: { readonly replaced: ReplacedAnnotations; readonly news: AnnotationFeed },
) {
  const { projects, tasks, jobs, media, labelRows, sets, idempotency, stagedSaves } = repositories;
  return createAnnotationService({
    database,
    access,
    annotations: rows,
    sets,
    idempotency,
    staged: stagedSaves,
    tasks,
    jobs,
    media,
    projects,
    labels: labelRows,
    changes,
    clock,
    replaced: undo.replaced,
    news: undo.news,
  });
}

function createFrames(foundation: Foundation) {
  const { access, changes, clock, dataDirectory, mediaFrames, preparation, cloudStorages, repositories } = foundation;
  const { media, tasks, jobs } = repositories;
  return createFrameService({
    media,
    tasks,
    jobs,
    access,
    changes,
    clock,
    dataDirectory,
    mediaFrames,
    preparation,
    cloudStorages,
  });
}

function createTaskData(
  foundation: Foundation,
  shareDirectory: () => string | null,
  { replaced, frames }: { readonly replaced: ReplacedAnnotations; readonly frames: ReplacedFrameRepository },
) {
  const { dataDirectory, workers, clock, access, changes, queue, requests, preparation, cloudStorages, garbage } =
    foundation;
  const { tasks, jobs, media } = foundation.repositories;
  const taskData = {
    dataDirectory,
    access,
    tasks,
    jobs,
    media,
    changes,
    workers,
    clock,
    shareDirectory,
    preparation,
    cloudStorages,
    removeDiscarded: garbage.collect,
  };
  const prepareTask = createTaskDataRunner(taskData);
  const unsentImages = createUnsentImages(taskData, requests);
  const prepareOrWait: RequestRunner = async (request, run) => {
    // Images of an earlier run may be stored without their sizes.
    if (awaitsSending(request) && request.task_id !== null) await unsentImages.findStored(request.task_id);
    return prepareTask(request, run);
  };
  queue.register('create:task', prepareOrWait, (request) => !awaitsSending(request));
  queue.register('create:manifest', createBucketManifestRunner(taskData));
  queue.register('import:images', createAddedImagesRunner(taskData, { replaced, frames }));
  return {
    prepareTask,
    taskData: createTaskDataService(taskData, requests),
    bucketManifests: createBucketManifestService(taskData, requests),
    addedImages: createAddedImagesService(taskData, requests),
    unsentImages,
  };
}

function createGrowth(
  { database, access, changes, clock, dataDirectory, log, repositories }: Foundation,
  undo: {
    readonly replaced: ReplacedAnnotations;
    readonly frames: ReplacedFrameRepository;
    readonly news: AnnotationFeed;
  },
  images: ReturnType<typeof createTaskData>['addedImages'],
) {
  const { tasks, jobs, media, sets, users } = repositories;
  const objects = createFrameObjectsRepository(database);
  const rows = createWatchedFolderRepository(database);
  return {
    removedFrames: createRemovedFrames({
      access,
      tasks,
      jobs,
      media,
      changes,
      clock,
      dataDirectory,
      sets,
      objects,
      replaced: undo.replaced,
      frames: undo.frames,
      news: undo.news,
    }),
    watchedFolders: createWatchedFolders({ access, users, log, rows, images }),
  };
}

function createOverview(
  { database, databaseFile, workers, access, repositories }: Foundation,
  annotations: AnnotationRepository,
) {
  const { tasks, jobs, media, labelRows } = repositories;
  const overview = createOverviewRepository(database);
  const here = {
    frameSearch: createFrameSearch({ access, media, labelRows, annotations, overview }),
    statistics: createStatistics({ access, tasks, jobs, media, labelRows, annotations, overview }),
    progress: createProgress({ access, media, annotations, overview }),
  };
  return createLargeOverviews({ access, tasks, jobs, annotations, databaseFile, workers, here });
}

function createConsensus(
  { database, databaseFile, workers, clock, access, queue, requests, repositories, preparation }: Foundation,
  annotations: AnnotationService,
) {
  const { jobs, media, sets, labelRows, users } = repositories;
  const consensus = createConsensusRepository(database);
  const replicas = createReplicas({ jobs, sets });
  const merge = createMergeRunner({
    consensus,
    replicas,
    annotations,
    databaseFile,
    access,
    users,
    jobs,
    media,
    workers,
    clock,
    labelRows,
  });
  queue.register('merge:task', merge);
  queue.register('merge:job', merge);
  return {
    consensus: createConsensusService({ consensus, replicas, access }, requests),
    agreement: createAgreementService({
      consensus,
      replicas,
      databaseFile,
      access,
      media,
      workers,
      labelRows,
      preparation,
    }),
  };
}

function createQuality(
  { database, workers, clock, access, changes, queue, requests, repositories }: Foundation,
  annotations: AnnotationService,
) {
  const { projects, tasks, jobs, media, labelRows } = repositories;
  const quality = createQualityRepository(database);
  const requirements = createRequirementRepository(database);
  const runner = createQualityRunner({
    quality,
    requirements,
    annotations,
    projects,
    tasks,
    jobs,
    media,
    labelRows,
    workers,
    changes,
    clock,
  });
  queue.register('calculate:quality', runner);
  return createQualityService({ quality, requirements, access, jobs, tasks, clock, labelRows }, requests);
}

/**
 * Runs in the background. Waits for running media work first, because it would create files again after the removal.
 */
function removeMedia({ dataDirectory, mediaFrames, log }: Foundation, taskIds: readonly number[]): void {
  for (const task of taskIds) {
    const directory = mediaDirectory(dataDirectory, task);
    mediaFrames
      .forget(directory)
      .then(() => rm(directory, { recursive: true, force: true }))
      .catch((error: unknown) => log.warn('Cannot delete the files of a deleted task', { task, error }));
  }
}
