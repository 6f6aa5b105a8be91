import type { Database } from '../../db/open.ts';
import type { EventActor } from '../../webhooks/events/event-recorder.ts';
import type { WorkEvents } from '../../webhooks/events/work-events.ts';
import type { ProjectRepository } from '../projects/project-repository.ts';
import type { MediaRepository } from './media-repository.ts';
import type { TaskRepository } from './task-repository.ts';

export type TaskRemover = ReturnType<typeof createTaskRemover>;

interface Removal {
  readonly projectIds: readonly number[];
  readonly taskIds: readonly number[];
  readonly also?: () => void;
}

/**
 * Removes tasks from the store at once; their annotations' rows and uploaded files go in the background. Files of
 * media that are used in place are never touched.
 */
export function createTaskRemover(dependencies: {
  readonly database: Database;
  readonly tasks: TaskRepository;
  readonly projects: ProjectRepository;
  readonly media: MediaRepository;
  readonly events: WorkEvents;
  /** Called after the commit with the ids of the tasks whose media folders may go. */
  readonly onRemoved: (taskIds: readonly number[]) => void;
}) {
  const { database, tasks, projects, media, events, onRemoved } = dependencies;

  function removeRows(taskIds: readonly number[]): void {
    const mediaIds = taskIds.flatMap((id) => tasks.get(id)?.media_id ?? []);
    for (const id of taskIds) tasks.remove(id);
    for (const id of mediaIds) media.remove(id);
  }

  return {
    removeTask(actor: EventActor, id: number): void {
      this.removeAll(actor, { projectIds: [], taskIds: [id] });
    },
    removeProject(actor: EventActor, id: number): void {
      this.removeAll(actor, { projectIds: [id], taskIds: [] });
    },
    /** Projects with their tasks, further tasks, and what `also` removes, in one transaction. */
    removeAll(actor: EventActor, removal: Removal): void {
      const { projectIds } = removal;
      const taskIds = [...new Set([...removal.taskIds, ...projectIds.flatMap((id) => tasks.idsOfProject(id))])];
      database
        .transaction(() => {
          events.deleting(actor, { projects: projectIds, tasks: taskIds });
          removeRows(taskIds);
          for (const id of projectIds) projects.remove(id);
          removal.also?.();
        })
        .immediate();
      onRemoved(taskIds);
    },
  };
}
