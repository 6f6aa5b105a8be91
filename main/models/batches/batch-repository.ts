import type { Batch } from '../../../preload/contract/schema/batches.ts';
import type { Database } from '../../db/open.ts';

export type BatchState = Batch['state'];

export interface BatchRow {
  readonly id: number;
  readonly function_id: string;
  readonly owner_id: number | null;
  readonly origin: string;
  readonly state: BatchState;
  readonly priority: number;
  /** JSON. */
  readonly parameters: string;
  readonly message: string;
  /** JSON of a format report. */
  readonly report: string;
  readonly frame_count: number;
  readonly failed_count: number;
  readonly object_count: number;
  readonly created_date: string;
  readonly started_date: string | null;
  readonly finished_date: string | null;
}

export interface BatchPart {
  readonly position: number;
  readonly task_id: number;
  /** Null: the whole task. */
  readonly job_id: number | null;
  /** JSON: pairs of first and last. */
  readonly frames: string;
  readonly frame_count: number;
  readonly done_count: number;
  /** Where results go that become predictions. */
  readonly prediction_set_id: number | null;
}

export type NewBatch = Pick<
  BatchRow,
  'function_id' | 'owner_id' | 'origin' | 'priority' | 'parameters' | 'report' | 'frame_count' | 'created_date'
>;
export type NewPart = Omit<BatchPart, 'position' | 'done_count'>;
export type BatchChange = Partial<
  Pick<
    BatchRow,
    'state' | 'priority' | 'message' | 'report' | 'failed_count' | 'object_count' | 'started_date' | 'finished_date'
  >
>;

/** Names come from here, never from input. */
const changeable = [
  'state',
  'priority',
  'message',
  'report',
  'failed_count',
  'object_count',
  'started_date',
  'finished_date',
] as const satisfies readonly (keyof BatchChange)[];

export interface MadeObject {
  readonly task_id: number;
  readonly kind: 'shape' | 'tag';
  readonly object_id: number;
}

export type BatchRepository = ReturnType<typeof createBatchRepository>;

export function createBatchRepository(database: Database) {
  const all = database.prepare('SELECT * FROM model_batch ORDER BY id DESC');
  const one = database.prepare('SELECT * FROM model_batch WHERE id = ?');
  const open = database.prepare(
    "SELECT * FROM model_batch WHERE state IN ('queued', 'running', 'waiting') ORDER BY priority DESC, id",
  );
  const insert = database.prepare(
    `INSERT INTO model_batch (function_id, owner_id, origin, state, priority, parameters, report, frame_count, created_date)
     VALUES (@function_id, @owner_id, @origin, 'queued', @priority, @parameters, @report, @frame_count, @created_date)`,
  );
  const insertPart = database.prepare(
    `INSERT INTO model_batch_part (batch_id, position, task_id, job_id, frames, frame_count, prediction_set_id)
     VALUES (@batch_id, @position, @task_id, @job_id, @frames, @frame_count, @prediction_set_id)`,
  );
  const parts = database.prepare('SELECT * FROM model_batch_part WHERE batch_id = ? ORDER BY position');
  const setDone = database.prepare('UPDATE model_batch_part SET done_count = ? WHERE batch_id = ? AND position = ?');
  const setters = new Map(
    changeable.map((column) => [column, database.prepare(`UPDATE model_batch SET ${column} = ? WHERE id = ?`)]),
  );
  const remove = database.prepare('DELETE FROM model_batch WHERE id = ?');
  const putObject = database.prepare(
    'INSERT INTO model_batch_object (batch_id, task_id, kind, object_id) VALUES (?, ?, ?, ?)',
  );
  const objects = database.prepare('SELECT task_id, kind, object_id FROM model_batch_object WHERE batch_id = ?');
  const forget = database.prepare('DELETE FROM model_batch_object WHERE batch_id = ?');

  return {
    list: () => all.all() as BatchRow[],
    get: (id: number) => one.get(id) as BatchRow | undefined,
    /** Those that have something left to do, in the order in which they go. */
    open: () => open.all() as BatchRow[],
    parts: (id: number) => parts.all(id) as BatchPart[],
    insert: (row: NewBatch, list: readonly NewPart[]): number =>
      database.transaction(() => {
        const id = Number(insert.run(row).lastInsertRowid);
        for (const [position, part] of list.entries()) insertPart.run({ batch_id: id, position, ...part });
        return id;
      })(),
    change(id: number, change: BatchChange): void {
      database.transaction(() => {
        for (const column of changeable) if (column in change) setters.get(column)?.run(change[column], id);
      })();
    },
    setDone: (id: number, position: number, count: number) => void setDone.run(count, id, position),
    putObjects(id: number, made: readonly MadeObject[]): void {
      for (const { task_id: task, kind, object_id: object } of made) putObject.run(id, task, kind, object);
    },
    objects: (id: number) => objects.all(id) as MadeObject[],
    forgetObjects: (id: number) => void forget.run(id),
    remove: (id: number) => void remove.run(id),
  };
}
