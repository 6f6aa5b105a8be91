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
  /** Called after the commit with the ids of the tasks whose media folders may go. */
  readonly onRemoved: (taskIds: readonly number[]) => void;
}) {
  const { database, tasks, projects, media, onRemoved } = dependencies;

  function removeRows(taskIds: readonly number[]): void {
    const mediaIds = taskIds.flatMap((id) => tasks.get(id)?.media_id ?? []);
    for (const id of taskIds) tasks.remove(id);
    for (const id of mediaIds) media.remove(id);
  }

  return {
    removeTask(id: number): void {
      database.transaction(() => removeRows([id])).immediate();
      onRemoved([id]);
    },
    removeProject(id: number): void {
      this.removeAll({ projectIds: [id], taskIds: [] });
    },
    /** Projects with their tasks, further tasks, and what `also` removes, in one transaction. */
    removeAll(removal: {
      readonly projectIds: readonly number[];
      readonly taskIds: readonly number[];
      readonly also?: () => void;
    }): void {
      const { projectIds } = removal;
      const taskIds = [...new Set([...removal.taskIds, ...projectIds.flatMap((id) => tasks.idsOfProject(id))])];
      database
        .transaction(() => {
          removeRows(taskIds);
          for (const id of projectIds) projects.remove(id);
          removal.also?.();
        })
        .immediate();
      onRemoved(taskIds);
    },
  };
}
