import type { HistoryAction, HistoryKind, HistoryQuery } from '../../preload/contract/schema/history.ts';
import type { Store } from '../db/store.ts';

export interface HistoryRow {
  readonly id: number;
  readonly created_date: string;
  readonly user_id: number | null;
  readonly username: string;
  readonly action: HistoryAction;
  readonly kind: HistoryKind;
  readonly object_id: string;
  readonly name: string;
  readonly project_id: number | null;
  readonly task_id: number | null;
  readonly job_id: number | null;
  readonly organization_id: number | null;
  readonly changes: string;
}

/** Oldest entries are deleted above this limit: some years of work, some tens of megabytes. */
const maxEntries = 200_000;

export type HistoryRepository = ReturnType<typeof createHistoryRepository>;

export function createHistoryRepository(database: Store) {
  const insert = database.query(
    `INSERT INTO history_entry (created_date, user_id, username, action, kind, object_id, name, project_id, task_id,
       job_id, organization_id, changes)
     VALUES (@created_date, @user_id, @username, @action, @kind, @object_id, @name, @project_id, @task_id,
       @job_id, @organization_id, @changes)`,
  );
  const trim = database.query(
    'DELETE FROM history_entry WHERE id <= (SELECT max(id) FROM history_entry) - @maxEntries',
  );
  const equal = ['project_id', 'task_id', 'job_id', 'user_id', 'kind', 'action'] as const;
  return {
    insert: (row: Omit<HistoryRow, 'id'>): void => void insert.run(row),
    trim: (): void => void trim.run({ maxEntries }),
    /** Returns one more than the limit if there are more. */
    list(query: HistoryQuery): HistoryRow[] {
      const given = equal.filter((name) => query[name] !== undefined);
      const where = given.map((name) => `${name} = +@${name}`);
      if (query.before !== undefined) where.push('id < +@before');
      if (query.search)
        where.push('(instr(lower(name), lower(@search)) > 0 OR instr(lower(username), lower(@search)) > 0)');
      // Column names come from the constant list above.
      const sql = `SELECT * FROM history_entry ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
        ORDER BY id DESC LIMIT +@limit`;
      return database.query(sql).all({ ...query, limit: query.limit + 1 }) as HistoryRow[];
    },
  };
}
