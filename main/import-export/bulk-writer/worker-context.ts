import { Store, type StoreOptions } from '../../db/store.ts';
import { createAnnotationRepository } from '../../work/annotations/annotation-repository.ts';
import { createAnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import { createJobRepository } from '../../work/tables/job-repository.ts';
import { createLabelRepository } from '../../work/tables/label-repository.ts';
import { createProjectRepository } from '../../work/tables/project-repository.ts';
import { createMediaRepository } from '../../work/tables/media-repository.ts';
import { createTaskRepository } from '../../work/tables/task-repository.ts';
import { createDatasetRepository } from './dataset-repository.ts';

/** Paths of the store and the media for a worker thread. */
export interface WorkerPaths {
  readonly databaseFile: string;
  readonly dataDirectory: string;
}

export type WorkerContext = ReturnType<typeof createWorkerContext>;

function createWorkerContext(database: Store) {
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

/** Opens the store, runs `work`, and always closes it. */
export async function withWorkerContext<Result>(
  paths: WorkerPaths,
  options: Pick<StoreOptions, 'turns' | 'sync' | 'checkpointed'>,
  work: (context: WorkerContext) => Promise<Result> | Result,
): Promise<Result> {
  const database = new Store(paths.databaseFile, options);
  let failed = true;
  try {
    const result = await work(createWorkerContext(database));
    failed = false;
    return result;
  } finally {
    close(database, failed);
  }
}

/** After a failure an iterator may still be open, so closing can fail; the original error is kept. */
function close(database: Store, isAfterFailure: boolean): void {
  try {
    database.close();
  } catch (error) {
    if (!isAfterFailure) throw error;
  }
}
