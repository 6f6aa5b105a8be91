import { createInsert, createUpdate } from '../../db/columns.ts';
import type { Store } from '../../db/store.ts';
import { createStorageRepository } from './storage-repository.ts';
import { taskColumns, taskFrom, taskSelect, type TaskRow } from './task-table.ts';

export type { TaskRow } from './task-table.ts';
export type TaskRepository = ReturnType<typeof createTaskRepository>;

export function createTaskRepository(database: Store) {
  const remove = database.query('DELETE FROM task WHERE id = +?');
  const ofProject = database.query('SELECT id FROM task WHERE project_id = +? ORDER BY id').pluck();

  return {
    get: database.rowReader<TaskRow>(`SELECT ${taskSelect} FROM ${taskFrom} WHERE task.id = +?`),
    idsOfProject: (projectId: number) => ofProject.all(projectId) as number[],
    insert: createInsert(database, 'task', taskColumns),
    ...createUpdate(database, 'task', taskColumns),
    keepStorages: createStorageRepository(database, 'task'),
    remove: (id: number) => void remove.run(id),
  };
}
