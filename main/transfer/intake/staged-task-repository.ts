import type { Database } from '../../db/open.ts';

export type StagedTaskRepository = ReturnType<typeof createStagedTaskRepository>;

/** Ids of tasks that are being made, by the request that makes them. */
export function createStagedTaskRepository(database: Database) {
  const insert = database.prepare('INSERT INTO staged_task (id, request_id) VALUES (?, ?)');
  const ofRequest = database.prepare('SELECT id FROM staged_task WHERE request_id = ?').pluck();
  const all = database.prepare('SELECT id FROM staged_task').pluck();
  const remove = database.prepare('DELETE FROM staged_task WHERE id = ?');
  return {
    insert: (id: number, requestId: string) => void insert.run(id, requestId),
    ofRequest: (requestId: string) => ofRequest.all(requestId) as number[],
    all: () => all.all() as number[],
    remove: (id: number) => void remove.run(id),
  };
}
