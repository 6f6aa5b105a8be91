import type { Storage } from '../../../preload/contract/schema/common.ts';
import type { Store } from '../../db/store.ts';

/** Storages of a project or task. The location is always local: the contract accepts no other. */
export interface NamedStorages {
  readonly target: boolean;
  readonly source: boolean;
}

export interface StorageColumns {
  readonly target_storage_id: number | null;
  readonly source_storage_id: number | null;
}

/** Like in CVAT, null or an absent key leaves the present storage; a storage cannot be removed. */
export const namedStorages = (body: {
  readonly target_storage?: object | null;
  readonly source_storage?: object | null;
}): NamedStorages => ({ target: Boolean(body.target_storage), source: Boolean(body.source_storage) });

export const presentStorage = (id: number | null): Storage | null =>
  id === null ? null : { id, location: 'local', cloud_storage_id: null };

/** The same for backups, in which ids have no meaning. */
export const storagesOf = (row: StorageColumns) => ({
  target_storage: row.target_storage_id === null ? null : { location: 'local' as const },
  source_storage: row.source_storage_id === null ? null : { location: 'local' as const },
});

/** Saves the storages of projects or tasks. A trigger deletes the rows with their owner. */
export function createStorageRepository(database: Store, table: 'project' | 'task') {
  const insert = database.query("INSERT INTO storage (location) VALUES ('local')");
  const setters = (['target', 'source'] as const).map((role) => ({
    role,
    isFree: database.query(`SELECT 1 FROM ${table} WHERE id = +? AND ${role}_storage_id IS NULL`).pluck(),
    set: database.query(`UPDATE ${table} SET ${role}_storage_id = ? WHERE id = +?`),
  }));
  return (id: number, named: NamedStorages): void => {
    for (const { role, isFree, set } of setters) {
      if (named[role] && isFree.get(id) !== undefined) set.run(insert.run().lastInsertRowid, id);
    }
  };
}
