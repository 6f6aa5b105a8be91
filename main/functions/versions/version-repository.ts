import { number, optionalText, text, type RowOf } from '../../db/columns.ts';
import type { Store } from '../../db/store.ts';
import { valuesOf } from '../records/named-rows.ts';

const versionColumns = {
  function_name: text(),
  version: number(),
  /** JSON. */
  deployed: text(),
  /** JSON. */
  files: optionalText(),
  created_date: text(),
};
export type VersionRow = RowOf<typeof versionColumns>;

export type VersionRepository = ReturnType<typeof createVersionRepository>;

export function createVersionRepository(database: Store) {
  const all = database.query('SELECT * FROM model_version WHERE function_name = +? ORDER BY version DESC');
  const one = database.query('SELECT * FROM model_version WHERE function_name = +? AND version = +?');
  const put = database.query(`INSERT OR REPLACE INTO model_version ${valuesOf(versionColumns)}`);
  const remove = database.query('DELETE FROM model_version WHERE function_name = +? AND version = +?');
  return {
    list: (name: string) => all.all(name) as VersionRow[],
    get: (name: string, version: number) => one.get(name, version) as VersionRow | undefined,
    put: (row: VersionRow) => void put.run(row),
    remove: (name: string, version: number) => void remove.run(name, version),
  };
}
