import { rm } from 'node:fs/promises';
import type { MediaFrames } from '../media/media-frames.ts';
import { createPeople } from '../users/accounts/people.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import { createChangeRepository } from '../work/annotations/annotation-change-repository.ts';
import { createAnnotationChangeService } from '../work/annotations/annotation-change-service.ts';
import { createAnnotationListening } from '../work/annotations/annotation-subscriptions.ts';
import { createAnnotationFeed } from '../work/annotations/annotation-feed.ts';
import { createAnnotationRepository } from '../work/annotations/annotation-repository.ts';
import { createAnnotationService } from '../work/annotations/annotation-service.ts';
import { createReplacedAnnotations } from '../work/annotations/replaced-annotations.ts';
import { createHideLabelled } from '../work/annotations/hide-labelled.ts';
import { createLabelledRepository } from '../work/annotations/labelled-repository.ts';
import type { WorkChanges } from '../work/changes.ts';
import { createGuideRepository } from '../work/guides/guide-repository.ts';
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
import { createTaskDataRunner, createTaskDataService } from '../work/tasks/task-data-service.ts';
import { mediaDirectory } from '../work/tasks/task-media.ts';
import { createTaskRemover } from '../work/tasks/task-remover.ts';
import { createTaskService } from '../work/tasks/task-service.ts';
import { createFrameSearch } from '../work/overview/frame-search.ts';
import { createOverviewRepository } from '../work/overview/overview-repository.ts';
import { createProgress, createStatistics } from '../work/overview/statistics.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';
import type { Repositories } from './repositories.ts';

interface WorkDependencies
  extends Repositories, Omit<WorkServiceDependencies, keyof Repositories | 'databaseFile' | 'people'> {
  readonly mediaFrames: MediaFrames;
  /** For saves of annotations, which the annotation feed also reports. */
  readonly annotationChanges: WorkChanges;
  readonly shareDirectory: () => string | null;
  readonly onDiscarded: () => void;
}

export function createWork(dependencies: WorkDependencies) {
  const { database, access, labelRows, onDiscarded } = dependencies;
  const news = createAnnotationFeed(database);
  const kept = createChangeRepository(database);
  const replaced = createReplacedAnnotations({ ...dependencies, changes: kept });
  const uses = createLabelUses(database);
  const touch = createLabelDates(database, dependencies.clock);
  const hideAnnotations = createHideLabelled(replaced, createLabelledRepository(database), news);
  const labels = createLabelService({ database, labels: labelRows, hideAnnotations, touch });
  const mover = createOrganizationMover(dependencies);
  const projectMover = createProjectMover({ labels, relabel: createRelabelRepository(database), uses, access });
  const remover = createTaskRemover({
    ...dependencies,
    onRemoved(taskIds) {
      onDiscarded();
      removeMedia(dependencies, taskIds);
    },
  });
  const shared = { ...dependencies, people: createPeople(dependencies.users), labels, replaced, news };
  const annotationRows = createAnnotationRepository(database);
  const overview = createOverviewRepository(database);
  const quality = createQualityRepository(database);
  const replicated = { consensus: createConsensusRepository(database), replicas: createReplicas(dependencies) };
  const annotations = createAnnotationService({
    ...shared,
    annotations: annotationRows,
    labels: labelRows,
    changes: dependencies.annotationChanges,
  });

  const merge = createMergeRunner({ ...dependencies, ...replicated, annotations });

  return {
    services: {
      projects: createProjectService({ ...shared, mover, remover }),
      tasks: createTaskService({ ...shared, mover, projectMover, remover }),
      jobs: createJobService(shared),
      groundTruth: createGroundTruthService(shared),
      labels: createLabelAccess(shared),
      annotations,
      listening: createAnnotationListening(access, dependencies.users, news),
      annotationChanges: createAnnotationChangeService({ ...shared, kept }),
      frames: createFrameService(shared),
      frameSearch: createFrameSearch({ ...dependencies, annotations: annotationRows, overview }),
      statistics: createStatistics({ ...dependencies, annotations: annotationRows, overview }),
      agreement: createAgreementService({ ...dependencies, ...replicated, annotations }),
      progress: createProgress({ ...dependencies, annotations: annotationRows, overview }),
      issues: createIssueService(shared),
      guides: createGuideService({ ...shared, guides: createGuideRepository(database) }),
    },
    runners: {
      'create:task': createTaskDataRunner(dependencies),
      'merge:task': merge,
      'merge:job': merge,
      'calculate:quality': createQualityRunner({ ...dependencies, quality, annotations }),
    },
    servicesWith: (requests: RequestService) => ({
      taskData: createTaskDataService(dependencies, requests),
      consensus: createConsensusService({ ...dependencies, ...replicated }, requests),
      quality: createQualityService({ ...dependencies, quality }, requests),
    }),
    replaced,
    news,
    removeAll: remover.removeAll,
    removeExpired(): void {
      dependencies.idempotency.removeExpired();
      replaced.removeExpired();
    },
  };
}

/**
 * Runs in the background. Waits for running media work first, because it would create files again after the removal.
 */
function removeMedia({ dataDirectory, mediaFrames, log }: WorkDependencies, taskIds: readonly number[]): void {
  for (const task of taskIds) {
    const directory = mediaDirectory(dataDirectory, task);
    mediaFrames
      .forget(directory)
      .then(() => rm(directory, { recursive: true, force: true }))
      .catch((error: unknown) => log.warn('Cannot delete the files of a deleted task', { task, error }));
  }
}
