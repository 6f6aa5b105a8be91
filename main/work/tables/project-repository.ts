import { createInsert, createUpdate } from '../../db/columns.ts';
import type { Store } from '../../db/store.ts';
import { createStorageRepository } from './storage-repository.ts';
import { projectColumns, projectFrom, projectSelect, type ProjectRow } from './project-table.ts';

export type { ProjectRow } from './project-table.ts';
export type ProjectRepository = ReturnType<typeof createProjectRepository>;

export function createProjectRepository(database: Store) {
  const remove = database.query('DELETE FROM project WHERE id = +?');
  return {
    get: database.rowReader<ProjectRow>(`SELECT ${projectSelect} FROM ${projectFrom} WHERE project.id = +?`),
    insert: createInsert(database, 'project', projectColumns),
    ...createUpdate(database, 'project', projectColumns),
    keepStorages: createStorageRepository(database, 'project'),
    remove: (id: number) => void remove.run(id),
  };
}
