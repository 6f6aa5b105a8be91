import type { Store } from '../../db/store.ts';

type Table = 'project' | 'task' | 'label' | 'attribute_spec';

/** Reserves ids before the rows are written, because annotations of an import refer to labels that are written last. */
export interface IdAllocator {
  /** Reserves `count` consecutive ids and returns the first. Runs in the caller's transaction. */
  reserve(table: Table, count: number): number;
}

/**
 * Reserved ids, and tasks that a request is creating. SQLite stores the last id of each table in `sqlite_sequence`;
 * unused ids are never assigned again, like those of deleted rows.
 */
export function createStagingRepository(database: Store) {
  const advance = database.query('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = +?');
  const begin = database.query('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  const last = database.query('SELECT seq FROM sqlite_sequence WHERE name = +?').pluck();
  const stage = database.query('INSERT INTO staged_task (id, request_id) VALUES (?, ?)');
  const staged = database.query('SELECT id FROM staged_task WHERE ? IS NULL OR request_id = +?').pluck();
  const unstage = database.query('DELETE FROM staged_task WHERE id = +?');

  const ids: IdAllocator = {
    reserve(table, count) {
      if (advance.run(count, table).changes === 0) begin.run(table, count);
      return Number(last.get(table)) - count + 1;
    },
  };
  return {
    ...ids,
    stage: (id: number, requestId: string) => void stage.run(id, requestId),
    /** Staged tasks of one request, or of all. */
    staged: (requestId: string | null = null) => staged.all(requestId, requestId) as number[],
    unstage: (id: number) => void unstage.run(id),
  };
}

/** Above all assigned ids, and within the range of the columns that transport shapes. */
const firstTrialId = 2_000_000_000;

/** Ids for a dry run, which reserves none. */
export function createTrialIds(): IdAllocator {
  let next = firstTrialId;
  return {
    reserve(_table, count) {
      const first = next;
      next += count;
      return first;
    },
  };
}
