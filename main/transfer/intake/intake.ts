import type { Database } from '../../db/open.ts';
import type { Logger } from '../../platform/log.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { JobRepository } from '../../work/jobs/job-repository.ts';
import type { MediaRepository } from '../../work/tasks/media-repository.ts';
import type { TaskRepository } from '../../work/tasks/task-repository.ts';
import { createIdRepository } from './id-repository.ts';
import { createStagedTaskRepository } from './staged-task-repository.ts';
import { createStagedTasks } from './staged-tasks.ts';
import { createTaskWriter } from './task-writer.ts';
import { createWorkFolders } from './work-folders.ts';

export type Intake = ReturnType<typeof createIntake>;

/** What imports need that make whole tasks: datasets of projects, and backups. */
export function createIntake(dependencies: {
  readonly database: Database;
  readonly dataDirectory: string;
  readonly log: Logger;
  readonly tasks: TaskRepository;
  readonly media: MediaRepository;
  readonly jobs: JobRepository;
  readonly sets: AnnotationSetRepository;
}) {
  const { database, dataDirectory, log } = dependencies;
  const ids = createIdRepository(database);
  const staged = createStagedTasks({
    database,
    staged: createStagedTaskRepository(database),
    ids,
    dataDirectory,
    log,
  });
  const folders = createWorkFolders(dataDirectory, log);
  return {
    ids,
    staged,
    folders,
    writer: createTaskWriter(dependencies),
    /** At start, before requests begin again. */
    recover(): void {
      folders.discardAll();
      void staged.discardAll();
    },
  };
}
