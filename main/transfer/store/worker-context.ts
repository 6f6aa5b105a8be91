import { openDatabase, type Database } from '../../db/open.ts';
import type { TurnState } from '../../platform/turns.ts';
import { createAnnotationRepository, type AnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import {
  createAnnotationSetRepository,
  type AnnotationSetRepository,
} from '../../work/annotations/annotation-set-repository.ts';
import { createJobRepository, type JobRepository } from '../../work/jobs/job-repository.ts';
import { createLabelRepository, type LabelRepository } from '../../work/labels/label-repository.ts';
import { createProjectRepository, type ProjectRepository } from '../../work/projects/project-repository.ts';
import { createMediaRepository, type MediaRepository } from '../../work/tasks/media-repository.ts';
import { createTaskRepository, type TaskRepository } from '../../work/tasks/task-repository.ts';
import { createDatasetRepository, type DatasetRepository } from './dataset-repository.ts';

/** Where a worker thread finds the store and the media. */
export interface WorkerPaths {
  readonly databaseFile: string;
  readonly dataDirectory: string;
}

/** A worker thread's own connection and the repositories over it. */
export interface WorkerContext {
  readonly database: Database;
  readonly annotations: AnnotationRepository;
  readonly sets: AnnotationSetRepository;
  readonly jobs: JobRepository;
  readonly labels: LabelRepository;
  readonly projects: ProjectRepository;
  readonly media: MediaRepository;
  readonly tasks: TaskRepository;
  readonly datasets: DatasetRepository;
}

function createWorkerContext(database: Database): WorkerContext {
  return {
    database,
    annotations: createAnnotationRepository(database),
    sets: createAnnotationSetRepository(database),
    jobs: createJobRepository(database),
    labels: createLabelRepository(database),
    projects: createProjectRepository(database),
    media: createMediaRepository(database),
    tasks: createTaskRepository(database),
    datasets: createDatasetRepository(database),
  };
}

/** Opens the store, runs `work`, and closes it whatever happens. */
export async function withWorkerContext<Result>(
  paths: WorkerPaths,
  turns: TurnState | undefined,
  work: (context: WorkerContext) => Promise<Result> | Result,
): Promise<Result> {
  const database = openDatabase(paths.databaseFile, { turns });
  let failed = true;
  try {
    const result = await work(createWorkerContext(database));
    failed = false;
    return result;
  } finally {
    close(database, failed);
  }
}

/** After a failure a walk may still be open, and so the connection; the failure's own reason is what counts. */
function close(database: Database, isAfterFailure: boolean): void {
  try {
    database.close();
  } catch (error) {
    if (!isAfterFailure) throw error;
  }
}
