import type { CredentialsType, ProviderType } from '../../preload/contract/schema/cloud-storages.ts';
import { columnOf, createInsert, createUpdate, number, optionalNumber, text, type RowOf } from '../db/columns.ts';
import { columnFields, equalFields, type ListDefinition } from '../db/filters.ts';
import type { Store } from '../db/store.ts';
import { userColumns } from '../users/accounts/present.ts';

export const cloudStorageColumns = {
  id: number(),
  provider_type: columnOf<ProviderType>()('new', 'change', 'plain'),
  resource: text('new', 'change', 'plain'),
  display_name: text('new', 'change', 'plain'),
  credentials_type: columnOf<CredentialsType>()('new', 'change', 'plain'),
  /** JSON, encrypted. */
  credentials: text('new', 'change'),
  specific_attributes: text('new', 'change', 'plain'),
  description: text('new', 'change', 'plain'),
  /** JSON. */
  manifests: text('new', 'change'),
  owner_id: optionalNumber('new'),
  organization_id: optionalNumber('new'),
  created_date: text(),
  updated_date: text(),
};

export type CloudStorageRow = RowOf<typeof cloudStorageColumns>;

const select = `cloud_storage.*, ${userColumns('owner', 'owner')}`;
const from = 'cloud_storage LEFT JOIN user owner ON owner.id = cloud_storage.owner_id';

export const cloudStorageList: ListDefinition = {
  select,
  from,
  fields: {
    ...columnFields('cloud_storage', { number: ['id'], text: ['description'], date: ['updated_date'] }),
    ...equalFields('cloud_storage', { text: ['provider_type', 'resource', 'credentials_type'] }),
    name: { sql: 'cloud_storage.display_name', type: 'text', equality: true },
    display_name: { sql: 'cloud_storage.display_name', type: 'text' },
    owner: { sql: 'owner.username', type: 'text', equality: true },
  },
  search: ['provider_type', 'name', 'resource', 'credentials_type', 'owner', 'description'],
  sort: '-id',
};

export const cloudStorageScope = {
  organization: 'cloud_storage.organization_id',
  people: { owner: 'cloud_storage.owner_id' },
} as const;

export type CloudStorageRepository = ReturnType<typeof createCloudStorageRepository>;

export function createCloudStorageRepository(database: Store) {
  const one = database.query(`SELECT ${select} FROM ${from} WHERE cloud_storage.id = +?`);
  const remove = database.query('DELETE FROM cloud_storage WHERE id = +?');
  const tasks = database.query<[number], { count: number }>(
    'SELECT count(*) AS count FROM task JOIN media ON media.id = task.media_id WHERE media.cloud_storage_id = +?',
  );
  const defaults = database.query<[number], { count: number }>(
    'SELECT count(*) AS count FROM storage WHERE cloud_storage_id = +?',
  );
  const get = (id: number) => one.get(id) as CloudStorageRow | undefined;
  const change = createUpdate(database, 'cloud_storage', cloudStorageColumns);
  return {
    get,
    insert: createInsert(database, 'cloud_storage', cloudStorageColumns),
    ...change,
    /** Lists a manifest with the storage, unless it is there. A storage that was deleted is no error. */
    addManifest(id: number, path: string, now: string): void {
      const row = get(id);
      const known = JSON.parse(row?.manifests ?? '[]') as string[];
      if (row && !known.includes(path)) change.update(id, { manifests: JSON.stringify([...known, path]) }, now);
    },
    remove: (id: number) => void remove.run(id),
    /** Number of tasks whose images are in the bucket. */
    taskCount: (id: number): number => tasks.get(id)?.count ?? 0,
    /** Number of source and target storages of tasks and projects that are in the bucket. */
    defaultCount: (id: number): number => defaults.get(id)?.count ?? 0,
  };
}
