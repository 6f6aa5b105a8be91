import { rm } from 'node:fs/promises';
import type { Database } from '../../db/open.ts';
import type { Logger } from '../../platform/log.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { JobRepository } from '../../work/jobs/job-repository.ts';
import type { MediaRepository } from '../../work/tasks/media-repository.ts';
import { mediaDirectory } from '../../work/tasks/task-media.ts';
import type { TaskRepository } from '../../work/tasks/task-repository.ts';
import { createIntakeRepository } from './intake-repository.ts';
import { createTaskWriter } from './task-writer.ts';
import { createWorkFolders } from './work-folders.ts';

export type Intake = ReturnType<typeof createIntake>;

/** Where imports lay down what nobody sees yet: tasks with an id and a media folder and no row, sets, folders. */
export function createIntake(dependencies: {
  readonly database: Database;
  readonly dataDirectory: string;
  readonly log: Logger;
  readonly tasks: TaskRepository;
  readonly media: MediaRepository;
  readonly jobs: JobRepository;
  readonly sets: AnnotationSetRepository;
}) {
  const { database, dataDirectory, log, sets } = dependencies;
  const rows = createIntakeRepository(database);
  const folders = createWorkFolders(dataDirectory, log);

  async function discardTasks(taskIds: readonly number[]): Promise<void> {
    for (const id of taskIds) {
      try {
        await rm(mediaDirectory(dataDirectory, id), { recursive: true, force: true });
        rows.unstage(id);
      } catch (error) {
        // The row stays, and with it the next start's duty.
        log.warn('Media of an import that did not finish could not be removed; the next start tries again', {
          task: id,
          error,
        });
      }
    }
  }

  return {
    /** Inside the caller's transaction. */
    ids: rows,
    folders,
    writer: createTaskWriter(dependencies),
    /** Ids for `count` tasks of a request. Inside the caller's transaction. */
    stage(requestId: string, count: number): number[] {
      const first = rows.reserve('task', count);
      const taskIds = Array.from({ length: count }, (_, index) => first + index);
      for (const id of taskIds) rows.stage(id, requestId);
      return taskIds;
    },
    /** Inside the transaction that writes the tasks' rows: their media stay. */
    settle(taskIds: readonly number[]): void {
      for (const id of taskIds) rows.unstage(id);
    },
    /** Removes what a request has made so far: after its failure, and before it begins again. */
    async discard(requestId: string): Promise<void> {
      sets.discardPending(requestId);
      await discardTasks(rows.staged(requestId));
      await folders.discard(requestId);
    },
    /** At start, before requests begin again. */
    recover(): void {
      folders.discardAll();
      void discardTasks(rows.staged());
    },
  };
}
