import type { Database } from '../../db/open.ts';

type Table = 'project' | 'task' | 'label' | 'attribute_spec';

export type IdRepository = ReturnType<typeof createIdRepository>;

/**
 * Gives out ids before their rows are written: annotations of an import name labels that are written last. SQLite keeps
 * the last id of each table in `sqlite_sequence`; ids that are never used stay free for ever, as those of deleted rows.
 */
export function createIdRepository(database: Database) {
  const advance = database.prepare('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?');
  const begin = database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  const last = database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  return {
    /** `count` ids that follow each other; answers the first. Inside the caller's transaction. */
    reserve(table: Table, count: number): number {
      if (advance.run(count, table).changes === 0) begin.run(table, count);
      return Number(last.get(table)) - count + 1;
    },
  };
}

/** Beyond all ids that a store gives out, and within what a shape's columns hold on their way. */
const firstTrialId = 2_000_000_000;

/** Ids for a look at what would be written: nothing is given out. */
export function createTrialIds(): IdRepository {
  let next = firstTrialId;
  return {
    reserve(_table, count) {
      const first = next;
      next += count;
      return first;
    },
  };
}
