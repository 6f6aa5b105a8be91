import type { Database } from '../../db/open.ts';
import type { ProjectRepository } from '../projects/project-repository.ts';
import type { MediaRepository } from './media-repository.ts';
import type { TaskRepository } from './task-repository.ts';

export type TaskRemover = ReturnType<typeof createTaskRemover>;

/**
 * Removes tasks from the store at once; their annotations' rows and uploaded files go in the background. Files of
 * media that are used in place are never touched.
 */
export function createTaskRemover(dependencies: {
  readonly database: Database;
  readonly tasks: TaskRepository;
  readonly projects: ProjectRepository;
  readonly media: MediaRepository;
  /** Called after the commit with the ids of media whose folders may go. */
  readonly onRemoved: (mediaIds: readonly number[]) => void;
}) {
  const { database, tasks, projects, media, onRemoved } = dependencies;

  function removeRows(taskIds: readonly number[]): number[] {
    const mediaIds = taskIds.flatMap((id) => tasks.get(id)?.media_id ?? []);
    for (const id of taskIds) tasks.remove(id);
    for (const id of mediaIds) media.remove(id);
    return mediaIds;
  }

  return {
    removeTask(id: number): void {
      onRemoved(database.transaction(() => removeRows([id])).immediate());
    },
    removeProject(id: number): void {
      const removed = database
        .transaction(() => {
          const mediaIds = removeRows(tasks.idsOfProject(id));
          projects.remove(id);
          return mediaIds;
        })
        .immediate();
      onRemoved(removed);
    },
  };
}
