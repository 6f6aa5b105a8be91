import type { Database } from '../../db/open.ts';

export interface MinuteRow {
  readonly function_id: string;
  readonly version: number;
  /** Minutes since 1970. */
  readonly minute: number;
  readonly call_count: number;
  readonly error_count: number;
  /** JSON of `Steps`. */
  readonly steps: string;
  readonly total_ms: number;
  readonly queue_ms: number;
  readonly cpu_cores: number | null;
  readonly memory_bytes: number | null;
  readonly gpu_memory_bytes: number | null;
}

export type MinuteRepository = ReturnType<typeof createMinuteRepository>;

export function createMinuteRepository(database: Database) {
  const one = database.prepare('SELECT * FROM model_minute WHERE function_id = ? AND version = ? AND minute = ?');
  const since = database.prepare(
    'SELECT * FROM model_minute WHERE function_id = ? AND minute >= ? ORDER BY minute, version',
  );
  const put = database.prepare(
    `INSERT OR REPLACE INTO model_minute
       (function_id, version, minute, call_count, error_count, steps, total_ms, queue_ms, cpu_cores, memory_bytes,
        gpu_memory_bytes)
     VALUES (@function_id, @version, @minute, @call_count, @error_count, @steps, @total_ms, @queue_ms, @cpu_cores,
       @memory_bytes, @gpu_memory_bytes)`,
  );
  const removeBefore = database.prepare('DELETE FROM model_minute WHERE minute < ?');
  const forget = database.prepare('DELETE FROM model_minute WHERE function_id = ?');
  return {
    get: (functionId: string, version: number, minute: number) =>
      one.get(functionId, version, minute) as MinuteRow | undefined,
    since: (functionId: string, minute: number) => since.all(functionId, minute) as MinuteRow[],
    put: (row: MinuteRow): void => void put.run(row),
    removeBefore: (minute: number): void => void removeBefore.run(minute),
    forget: (functionId: string): void => void forget.run(functionId),
    together: (work: () => void): void => database.transaction(work).immediate(),
  };
}
