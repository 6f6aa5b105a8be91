import type { Database } from '../../db/open.ts';

type Table = 'project' | 'task' | 'label' | 'attribute_spec';

/** Gives out ids before their rows are written: annotations of an import name labels that are written last. */
export interface IdGiver {
  /** `count` ids that follow each other; answers the first. Inside the caller's transaction. */
  reserve(table: Table, count: number): number;
}

/**
 * Ids that are given out, and tasks that are being made by a request. SQLite keeps the last id of each table in
 * `sqlite_sequence`; ids that are never used stay free for ever, as those of deleted rows.
 */
export function createIntakeRepository(database: Database) {
  const advance = database.prepare('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?');
  const begin = database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  const last = database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  const stage = database.prepare('INSERT INTO staged_task (id, request_id) VALUES (?, ?)');
  const staged = database.prepare('SELECT id FROM staged_task WHERE ? IS NULL OR request_id = ?').pluck();
  const unstage = database.prepare('DELETE FROM staged_task WHERE id = ?');

  const ids: IdGiver = {
    reserve(table, count) {
      if (advance.run(count, table).changes === 0) begin.run(table, count);
      return Number(last.get(table)) - count + 1;
    },
  };
  return {
    ...ids,
    stage: (id: number, requestId: string) => void stage.run(id, requestId),
    /** Of one request, or of all. */
    staged: (requestId: string | null = null) => staged.all(requestId, requestId) as number[],
    unstage: (id: number) => void unstage.run(id),
  };
}

/** Beyond all ids that a store gives out, and within what a shape's columns hold on their way. */
const firstTrialId = 2_000_000_000;

/** Ids for a look at what would be written: nothing is given out. */
export function createTrialIds(): IdGiver {
  let next = firstTrialId;
  return {
    reserve(_table, count) {
      const first = next;
      next += count;
      return first;
    },
  };
}
