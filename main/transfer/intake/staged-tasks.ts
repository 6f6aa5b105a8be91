import { rm } from 'node:fs/promises';
import type { Database } from '../../db/open.ts';
import type { Logger } from '../../platform/log.ts';
import { mediaDirectory } from '../../work/tasks/task-media.ts';
import type { IdRepository } from './id-repository.ts';
import type { StagedTaskRepository } from './staged-task-repository.ts';

/** Tasks that an import is still making: they have an id and a media folder, and no row yet. */
export function createStagedTasks(dependencies: {
  readonly database: Database;
  readonly staged: StagedTaskRepository;
  readonly ids: IdRepository;
  readonly dataDirectory: string;
  readonly log: Logger;
}) {
  const { database, staged, ids, dataDirectory, log } = dependencies;

  async function discardThese(taskIds: readonly number[]): Promise<void> {
    for (const id of taskIds) {
      try {
        await rm(mediaDirectory(dataDirectory, id), { recursive: true, force: true });
        staged.remove(id);
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
    /** Ids for `count` tasks of a request. */
    stage(requestId: string, count: number): number[] {
      return database
        .transaction(() => {
          const first = ids.reserve('task', count);
          const taskIds = Array.from({ length: count }, (_, index) => first + index);
          for (const id of taskIds) staged.insert(id, requestId);
          return taskIds;
        })
        .immediate();
    },
    /** Inside the transaction that writes the tasks' rows: their media stay. */
    settle(taskIds: readonly number[]): void {
      for (const id of taskIds) staged.remove(id);
    },
    /** Removes what a request has made so far: after its failure, and before it begins again. */
    discard: (requestId: string) => discardThese(staged.ofRequest(requestId)),
    /** At start, before requests begin again. */
    discardAll: () => discardThese(staged.all()),
  };
}
