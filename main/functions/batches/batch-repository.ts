import type { Batch } from '../../../preload/contract/schema/batches.ts';
import { columnOf, number, optionalNumber, optionalText, text, type PartOf, type RowOf } from '../../db/columns.ts';
import type { Store } from '../../db/store.ts';
import { setColumns, valuesOf } from '../records/named-rows.ts';

const batchColumns = {
  function_id: text('new'),
  owner_id: optionalNumber('new'),
  origin: text('new'),
  state: columnOf<Batch['state']>()('change'),
  priority: number('new', 'change'),
  parameters: text('new'),
  message: text('change'),
  /** JSON of a format report. */
  report: text('new', 'change'),
  frame_count: number('new'),
  failed_count: number('change'),
  object_count: number('change'),
  created_date: text('new'),
  started_date: optionalText('change'),
  finished_date: optionalText('change'),
};

export interface BatchRow extends RowOf<typeof batchColumns> {
  readonly id: number;
}

const partColumns = {
  position: number(),
  task_id: number('new'),
  /** Null for all jobs of the task. */
  job_id: optionalNumber('new'),
  /** JSON array of [first, last] pairs. */
  frames: text('new'),
  frame_count: number('new'),
  done_count: number(),
  prediction_set_id: optionalNumber('new'),
};

export type BatchPart = RowOf<typeof partColumns>;
export type NewPart = PartOf<typeof partColumns, 'new'>;

export interface MadeObject {
  readonly task_id: number;
  readonly kind: 'shape' | 'tag';
  readonly object_id: number;
}

export type BatchRepository = ReturnType<typeof createBatchRepository>;

export function createBatchRepository(database: Store) {
  const all = database.query('SELECT * FROM model_batch ORDER BY id DESC');
  const one = database.query('SELECT * FROM model_batch WHERE id = +?');
  const open = database.query(
    "SELECT * FROM model_batch WHERE state IN ('queued', 'running', 'waiting') ORDER BY priority DESC, id",
  );
  const parts = database.query('SELECT * FROM model_batch_part WHERE batch_id = +? ORDER BY position');
  const setDone = database.query('UPDATE model_batch_part SET done_count = ? WHERE batch_id = +? AND position = +?');
  const remove = database.query('DELETE FROM model_batch WHERE id = +?');
  const putObject = database.query(
    'INSERT INTO model_batch_object (batch_id, task_id, kind, object_id) VALUES (?, ?, ?, ?)',
  );
  const objects = database.query('SELECT task_id, kind, object_id FROM model_batch_object WHERE batch_id = +?');
  const forget = database.query('DELETE FROM model_batch_object WHERE batch_id = +?');

  return {
    list: () => all.all() as BatchRow[],
    get: (id: number) => one.get(id) as BatchRow | undefined,
    /** Unfinished batches in the order in which they run. */
    open: () => open.all() as BatchRow[],
    parts: (id: number) => parts.all(id) as BatchPart[],
    insert: (row: PartOf<typeof batchColumns, 'new'>, list: readonly NewPart[]): number =>
      database.write(() => {
        const queued = { ...row, state: 'queued' };
        const insert = database.query(`INSERT INTO model_batch ${valuesOf(queued)}`);
        const id = Number(insert.run(queued).lastInsertRowid);
        for (const [position, part] of list.entries()) {
          const placed = { batch_id: id, position, ...part };
          database.query(`INSERT INTO model_batch_part ${valuesOf(placed)}`).run(placed);
        }
        return id;
      }),
    change: (id: number, change: Partial<PartOf<typeof batchColumns, 'change'>>): void =>
      setColumns(database, 'model_batch', { id }, batchColumns, change),
    setDone: (id: number, position: number, count: number) => void setDone.run(count, id, position),
    putObjects(id: number, made: readonly MadeObject[]): void {
      for (const { task_id: task, kind, object_id: object } of made) putObject.run(id, task, kind, object);
    },
    objects: (id: number) => objects.all(id) as MadeObject[],
    forgetObjects: (id: number) => void forget.run(id),
    remove: (id: number) => void remove.run(id),
  };
}
