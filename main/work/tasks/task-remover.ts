import type { ChangeActor } from '../../db/changes.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';

export type TaskRemover = ReturnType<typeof createTaskRemover>;

export interface Removal {
  readonly projectIds: readonly number[];
  readonly taskIds: readonly number[];
  readonly also?: () => void;
}

/**
 * Removes tasks from the database immediately; deletes the rows of their annotations and frames, and uploaded files, in the background.
 * Never touches media used in place.
 */
export function createTaskRemover(
  dependencies: Pick<WorkServiceDependencies, 'tasks' | 'media' | 'changes'> & {
    readonly projects: { remove(id: number): void };
    /** Called after the commit with the ids of the tasks whose media folders can be deleted. */
    readonly onRemoved: (taskIds: readonly number[]) => void;
  },
) {
  const { tasks, projects, media, changes, onRemoved } = dependencies;

  function removeRows(taskIds: readonly number[]): void {
    const mediaIds = taskIds.flatMap((id) => tasks.get(id)?.media_id ?? []);
    for (const id of taskIds) tasks.remove(id);
    for (const id of mediaIds) media.discard(id);
  }

  /** Removes projects with their tasks, further tasks, and the objects of `also`, in one transaction. */
  function removeAll(actor: ChangeActor, removal: Removal): void {
    const { projectIds } = removal;
    const taskIds = [...new Set([...removal.taskIds, ...projectIds.flatMap((id) => tasks.idsOfProject(id))])];
    changes.run(actor, {}, () => {
      changes.deleting(actor, 'task', taskIds);
      changes.deleting(actor, 'project', projectIds);
      removeRows(taskIds);
      for (const id of projectIds) projects.remove(id);
      removal.also?.();
    });
    onRemoved(taskIds);
  }

  return {
    removeTask(actor: ChangeActor, id: number): void {
      removeAll(actor, { projectIds: [], taskIds: [id] });
    },
    removeProject(actor: ChangeActor, id: number): void {
      removeAll(actor, { projectIds: [id], taskIds: [] });
    },
    removeAll,
  };
}
