import { createInsert, createUpdate } from '../../db/columns.ts';
import type { Database } from '../../db/open.ts';
import { createStorageRepository } from '../storages/storage-repository.ts';
import { taskColumns, taskFrom, taskSelect, type TaskRow } from '../tables/task-table.ts';

export type { TaskRow } from '../tables/task-table.ts';
export type TaskRepository = ReturnType<typeof createTaskRepository>;

export function createTaskRepository(database: Database) {
  const one = database.prepare(`SELECT ${taskSelect} FROM ${taskFrom} WHERE task.id = ?`);
  const remove = database.prepare('DELETE FROM task WHERE id = ?');
  const ofProject = database.prepare('SELECT id FROM task WHERE project_id = ? ORDER BY id').pluck();

  return {
    get: (id: number) => one.get(id) as TaskRow | undefined,
    idsOfProject: (projectId: number) => ofProject.all(projectId) as number[],
    insert: createInsert(database, 'task', taskColumns),
    ...createUpdate(database, 'task', taskColumns),
    keepStorages: createStorageRepository(database, 'task'),
    remove: (id: number) => void remove.run(id),
  };
}
