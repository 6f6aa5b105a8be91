import { number, optionalNumber, text, type RowOf } from '../../db/columns.ts';
import type { Store } from '../../db/store.ts';
import { valuesOf } from '../records/named-rows.ts';

const minuteColumns = {
  function_id: text(),
  version: number(),
  /** Minutes since 1970. */
  minute: number(),
  call_count: number(),
  error_count: number(),
  /** JSON of `Steps`. */
  steps: text(),
  total_ms: number(),
  queue_ms: number(),
  cpu_cores: optionalNumber(),
  memory_bytes: optionalNumber(),
  gpu_memory_bytes: optionalNumber(),
};
export type MinuteRow = RowOf<typeof minuteColumns>;

export type MinuteRepository = ReturnType<typeof createMinuteRepository>;

export function createMinuteRepository(database: Store) {
  const one = database.query('SELECT * FROM model_minute WHERE function_id = +? AND version = +? AND minute = +?');
  const since = database.query(
    'SELECT * FROM model_minute WHERE function_id = +? AND minute >= +? ORDER BY minute, version',
  );
  const put = database.query(`INSERT OR REPLACE INTO model_minute ${valuesOf(minuteColumns)}`);
  const removeBefore = database.query('DELETE FROM model_minute WHERE minute < +?');
  const forget = database.query('DELETE FROM model_minute WHERE function_id = +?');
  return {
    get: (functionId: string, version: number, minute: number) =>
      one.get(functionId, version, minute) as MinuteRow | undefined,
    since: (functionId: string, minute: number) => since.all(functionId, minute) as MinuteRow[],
    put: (row: MinuteRow): void => void put.run(row),
    removeBefore: (minute: number): void => void removeBefore.run(minute),
    forget: (functionId: string): void => void forget.run(functionId),
    together: (work: () => void): void => database.write(work),
  };
}
