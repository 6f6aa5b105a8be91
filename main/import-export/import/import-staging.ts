import { rm } from 'node:fs/promises';
import type { Store } from '../../db/store.ts';
import type { Logger } from '../../platform/log.ts';
import { inPortions } from '../../platform/portions.ts';
import type { AnnotationSetRepository } from '../../work/annotations/annotation-set-repository.ts';
import type { JobRepository } from '../../work/tables/job-repository.ts';
import type { MediaRepository } from '../../work/tables/media-repository.ts';
import { mediaDirectory } from '../../work/tasks/task-media.ts';
import type { TaskRepository } from '../../work/tables/task-repository.ts';
import { createStagingRepository } from './staging-repository.ts';
import { createTaskWriter, type IncomingTask } from './task-writer.ts';
import { createWorkFolders } from './work-folders.ts';

export type ImportStaging = ReturnType<typeof createImportStaging>;

/** Staging area of imports: tasks with an id and a media folder but no row, sets, and folders. */
export function createImportStaging(dependencies: {
  readonly database: Store;
  readonly dataDirectory: string;
  readonly log: Logger;
  readonly tasks: TaskRepository;
  readonly media: MediaRepository;
  readonly jobs: JobRepository;
  readonly sets: AnnotationSetRepository;
}) {
  const { database, dataDirectory, log, tasks, jobs, sets, media } = dependencies;
  const rows = createStagingRepository(database);
  const folders = createWorkFolders(dataDirectory, log);
  /** Ids of stored media by the id of their task. A crash leaves media that the next start discards. */
  const stored = new Map<number, number>();

  function discardMedium(taskId: number): void {
    const id = stored.get(taskId);
    stored.delete(taskId);
    if (id !== undefined) media.discard(id);
  }

  async function discardTasks(taskIds: readonly number[]): Promise<void> {
    for (const id of taskIds) {
      discardMedium(id);
      try {
        await rm(mediaDirectory(dataDirectory, id), { recursive: true, force: true });
        rows.unstage(id);
      } catch (error) {
        // The row stays, so that the next start tries again.
        log.warn('Cannot delete the media of an incomplete import; the next start tries again', {
          task: id,
          error,
        });
      }
    }
  }

  return {
    /** Call it in a transaction. */
    ids: rows,
    folders,
    writer: createTaskWriter({ tasks, jobs, sets, mediumOf: (taskId) => stored.get(taskId) }),
    /** Reserves ids for `count` tasks of a request. Runs in the caller's transaction. */
    stage(requestId: string, count: number): number[] {
      const first = rows.reserve('task', count);
      const taskIds = Array.from({ length: count }, (_, index) => first + index);
      for (const id of taskIds) rows.stage(id, requestId);
      return taskIds;
    },
    /** Stores the frames of tasks in portions. Await before the transaction that writes the tasks. */
    async storeMedia(tasks: readonly IncomingTask[]): Promise<void> {
      for (const { id, data } of tasks) {
        if (!data) continue;
        const deleted = new Set(data.deletedFrames);
        stored.set(id, await inPortions(media.insertInPortions(data.media, data.frames, deleted)));
      }
    },
    /** Keeps the media of the tasks. Runs in the transaction that writes their rows. */
    settle(taskIds: readonly number[]): void {
      for (const id of taskIds) rows.unstage(id);
      database.afterCommit(() => taskIds.forEach((id) => stored.delete(id)));
    },
    /** Deletes everything that a request has staged, after its failure and before it starts again. */
    async discard(requestId: string): Promise<void> {
      sets.discardPending(requestId);
      await discardTasks(rows.staged(requestId));
      await folders.discard(requestId);
    },
    /** Call it at start, before requests are resumed. */
    recover(): void {
      folders.discardAll();
      void discardTasks(rows.staged());
    },
  };
}
