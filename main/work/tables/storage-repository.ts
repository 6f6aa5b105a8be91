import type { Storage } from '../../../preload/contract/schema/common.ts';
import type { Store } from '../../db/store.ts';

interface NamedStorage {
  /** Null for this computer. */
  readonly cloudStorageId: number | null;
}

/** Storages that a request sets; null leaves the present one. */
export interface NamedStorages {
  readonly target: NamedStorage | null;
  readonly source: NamedStorage | null;
}

export interface StorageColumns {
  readonly target_storage_id: number | null;
  readonly source_storage_id: number | null;
  readonly target_cloud_storage_id: number | null;
  readonly source_cloud_storage_id: number | null;
}

/** Columns of {@link StorageColumns} that are not in the table of the owner. */
export const storageSelect = (table: 'project' | 'task'): string =>
  (['target', 'source'] as const)
    .map(
      (role) =>
        `(SELECT storage.cloud_storage_id FROM storage WHERE storage.id = ${table}.${role}_storage_id) AS ${role}_cloud_storage_id`,
    )
    .join(', ');

interface StorageWrite {
  readonly location?: string | undefined;
  readonly cloud_storage_id?: number | null | undefined;
}

/**
 * Like in CVAT, null or an absent key leaves the present storage; a storage cannot be removed.
 * @param requireBucket throws if the user may not use a cloud storage
 */
export function namedStorages(
  body: { readonly target_storage?: StorageWrite | null; readonly source_storage?: StorageWrite | null },
  requireBucket?: (id: number) => unknown,
): NamedStorages {
  const named = (storage: StorageWrite | null | undefined): NamedStorage | null => {
    if (!storage) return null;
    const cloudStorageId = storage.cloud_storage_id ?? null;
    if (cloudStorageId !== null) requireBucket?.(cloudStorageId);
    return { cloudStorageId };
  };
  return { target: named(body.target_storage), source: named(body.source_storage) };
}

export function presentStorage(row: StorageColumns, role: 'target' | 'source'): Storage | null {
  const id = row[`${role}_storage_id`];
  const cloudStorageId = row[`${role}_cloud_storage_id`];
  if (id === null) return null;
  return { id, location: cloudStorageId === null ? 'local' : 'cloud_storage', cloud_storage_id: cloudStorageId };
}

/** The same for backups, in which ids of cloud storages have no meaning. */
export function storagesOf(row: StorageColumns) {
  const local = (role: 'target' | 'source') =>
    presentStorage(row, role)?.location === 'local' ? { location: 'local' as const } : null;
  return { target_storage: local('target'), source_storage: local('source') };
}

/** Saves the storages of projects or tasks. A trigger deletes the rows with their owner. */
export function createStorageRepository(database: Store, table: 'project' | 'task') {
  // The constraint of the column allows only 'local'; a bucket has an id beside it.
  const insert = database.query("INSERT INTO storage (location, cloud_storage_id) VALUES ('local', ?)");
  const change = database.query('UPDATE storage SET cloud_storage_id = ? WHERE id = +?');
  const setters = (['target', 'source'] as const).map((role) => ({
    role,
    present: database.query<[number], { id: number | null }>(
      `SELECT ${role}_storage_id AS id FROM ${table} WHERE id = +?`,
    ),
    set: database.query(`UPDATE ${table} SET ${role}_storage_id = ? WHERE id = +?`),
  }));
  return (id: number, named: NamedStorages): void => {
    for (const { role, present, set } of setters) {
      const wanted = named[role];
      const owner = wanted === null ? undefined : present.get(id);
      if (wanted === null || owner === undefined) continue;
      if (owner.id === null) set.run(insert.run(wanted.cloudStorageId).lastInsertRowid, id);
      else change.run(wanted.cloudStorageId, owner.id);
    }
  };
}
