import type { Database } from '../../db/open.ts';

export interface VersionRow {
  readonly function_name: string;
  readonly version: number;
  /** JSON. */
  readonly deployed: string;
  /** JSON. */
  readonly files: string | null;
  readonly created_date: string;
}

export type VersionRepository = ReturnType<typeof createVersionRepository>;

export function createVersionRepository(database: Database) {
  const all = database.prepare('SELECT * FROM model_version WHERE function_name = ? ORDER BY version DESC');
  const one = database.prepare('SELECT * FROM model_version WHERE function_name = ? AND version = ?');
  const put = database.prepare(
    `INSERT OR REPLACE INTO model_version (function_name, version, deployed, files, created_date)
     VALUES (@function_name, @version, @deployed, @files, @created_date)`,
  );
  const remove = database.prepare('DELETE FROM model_version WHERE function_name = ? AND version = ?');
  return {
    /** The newest first. */
    list: (name: string) => all.all(name) as VersionRow[],
    get: (name: string, version: number) => one.get(name, version) as VersionRow | undefined,
    put: (row: VersionRow) => void put.run(row),
    remove: (name: string, version: number) => void remove.run(name, version),
  };
}
