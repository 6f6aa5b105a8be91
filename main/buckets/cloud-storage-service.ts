import type {
  BucketState,
  CloudStorage,
  CloudStorageContent,
  CloudStoragePatch,
  CloudStorageWrite,
} from '../../preload/contract/schema/cloud-storages.ts';
import { valuesFor } from '../db/columns.ts';
import { listRows } from '../db/list-rows.ts';
import type { Store } from '../db/store.ts';
import type { Clock } from '../platform/clock.ts';
import { defined } from '../platform/defined.ts';
import { invalidField, invalidRequest, notFound } from '../platform/errors.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { requireAllowed, type PlaceFacts } from '../users/access/access-rules.ts';
import type { ActionOf } from '../users/access/access-table.ts';
import type { Actor, Listing, ListRequest } from '../users/access/actor.ts';
import { organizationOf, visibleTo } from '../users/access/scope.ts';
import { presentUser } from '../users/accounts/present.ts';
import type { BucketClient } from './bucket-client.ts';
import { createBucketClients } from './bucket-clients.ts';
import type { BucketCredentials } from './bucket-connection.ts';
import { bucketContent, type ContentRequest } from './bucket-content.ts';
import { BucketError } from './bucket-error.ts';
import {
  cloudStorageColumns,
  cloudStorageList,
  cloudStorageScope,
  type CloudStorageRepository,
  type CloudStorageRow,
} from './cloud-storage-repository.ts';
import type { SendRequest } from './object-request.ts';

const credentialNames = ['key', 'secret_key', 'session_token', 'account_name', 'connection_string'] as const;

export type CloudStorageService = ReturnType<typeof createCloudStorageService>;

/** Cloud storages: buckets with credentials, which are stored sealed and never answered. */
export function createCloudStorageService(dependencies: {
  readonly database: Store;
  readonly storages: CloudStorageRepository;
  readonly place: PlaceFacts;
  readonly secrets: SecretBox;
  readonly send: SendRequest;
  readonly clock: Clock;
  /** A JPEG of at most 256 pixels of an image. */
  readonly thumbnail: (bytes: Buffer, name: string) => Promise<Buffer>;
}) {
  const { database, storages, place, secrets, clock, thumbnail } = dependencies;
  const clients = createBucketClients(dependencies);

  function stored(id: number): CloudStorageRow {
    const row = storages.get(id);
    if (!row) throw notFound();
    return row;
  }
  function open(actor: Actor, id: number, action: ActionOf<'cloudstorage'>): CloudStorageRow {
    const row = stored(id);
    const facts = { ...place(actor, row.organization_id), people: { owner: row.owner_id } };
    requireAllowed(actor, 'cloudstorage', action, facts);
    return row;
  }

  /** Client for a user who may see the storage. @throws AppError 400 that names the field */
  function clientFor(actor: Actor, id: number): BucketClient {
    if (!storages.get(id)) throw invalidField('cloud_storage_id', `There is no cloud storage with the id ${id}.`);
    return clients.of(open(actor, id, 'view'));
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<CloudStorage> {
      const scope = visibleTo(actor, 'cloudstorage', cloudStorageScope);
      const { count, results } = listRows<CloudStorageRow>(database, cloudStorageList, request, scope);
      return { count, results: results.map((row) => present(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: number): CloudStorage => present(open(actor, id, 'view'), actor.baseUrl),

    async create(actor: Actor, body: CloudStorageWrite): Promise<CloudStorage> {
      const organizationId = organizationOf(actor);
      requireAllowed(actor, 'cloudstorage', 'create', place(actor, organizationId));
      const credentials = namedCredentials(body);
      await clients.requireUsable(body, credentials);
      const id = storages.insert({
        ...valuesFor(cloudStorageColumns, 'plain', body),
        credentials: secrets.seal(JSON.stringify(credentials)),
        manifests: JSON.stringify(body.manifests),
        owner_id: actor.userId,
        organization_id: organizationId,
        date: clock(),
      });
      return present(stored(id), actor.baseUrl);
    },

    /** Credentials that are not named stay, unless their type, the bucket or its address changes. */
    async update(actor: Actor, id: number, body: CloudStoragePatch): Promise<CloudStorage> {
      const row = open(actor, id, 'update');
      const fields = { ...row, ...defined(body), manifests: body.manifests ?? (JSON.parse(row.manifests) as string[]) };
      const isElsewhere = (['provider_type', 'credentials_type', 'resource', 'specific_attributes'] as const).some(
        (name) => fields[name] !== row[name],
      );
      const named = namedCredentials(body);
      // Otherwise a user who may change the storage, but does not know its key, could send the key to another server.
      const credentials = isElsewhere ? named : { ...clients.credentialsOf(row), ...named };
      const isNew = isElsewhere || Object.keys(named).length > 0 || body.manifests !== undefined;
      if (isNew) await clients.requireUsable(fields, credentials);
      const change = {
        ...valuesFor(cloudStorageColumns, 'plain', defined(body)),
        ...(isElsewhere || Object.keys(named).length > 0
          ? { credentials: secrets.seal(JSON.stringify(credentials)) }
          : {}),
        ...(body.manifests === undefined ? {} : { manifests: JSON.stringify(body.manifests) }),
      };
      open(actor, id, 'update');
      storages.update(id, change, clock());
      clients.forget(id);
      return present(stored(id), actor.baseUrl);
    },

    remove(actor: Actor, id: number): void {
      open(actor, id, 'delete');
      const count = storages.taskCount(id);
      if (count > 0)
        throw invalidRequest(
          `Cannot delete the cloud storage: ${count === 1 ? '1 task has its images' : `${count} tasks have their images`} ` +
            'in it. Delete the tasks first, or give them another cloud storage.',
        );
      const defaults = storages.defaultCount(id);
      if (defaults > 0)
        throw invalidRequest(
          `Cannot delete the cloud storage: it is the source or target storage of tasks or projects (${defaults} times). ` +
            'Choose another storage for them first.',
        );
      storages.remove(id);
      clients.forget(id);
    },

    content: (actor: Actor, id: number, request: ContentRequest, signal?: AbortSignal): Promise<CloudStorageContent> =>
      bucketContent(clients.of(open(actor, id, 'view')), request, signal),
    state: (actor: Actor, id: number, signal?: AbortSignal): Promise<BucketState> =>
      clients.state(open(actor, id, 'view'), signal),
    /** The bucket's own policy decides about writing, when something is written. */
    actions: (actor: Actor, id: number): string => (open(actor, id, 'view') ? 'read,write' : ''),
    async preview(actor: Actor, id: number, signal: AbortSignal): Promise<Buffer> {
      const row = open(actor, id, 'view');
      const key = await clients.firstImage(row, signal);
      if (key === null) throw notFound(`The bucket ${row.resource} has no image among its first objects.`);
      return thumbnail(await clients.of(row).read(key, { signal }), key);
    },

    clientFor,
    /** Client for a user who may change the storage. */
    clientForUpdate: (actor: Actor, id: number): BucketClient => clients.of(open(actor, id, 'update')),
    addManifest: (id: number, path: string): void => storages.addManifest(id, path, clock()),
    /** Checks ids for a user, as {@link clientFor}. */
    requireFor:
      (actor: Actor) =>
      (id: number): void =>
        void clientFor(actor, id),
    /** Bytes of an object that a user may import. @throws AppError if there is none */
    async sizeOf(actor: Actor, id: number, key: string, signal: AbortSignal): Promise<number> {
      const client = clientFor(actor, id);
      if (key === '') throw invalidField('filename', 'Give the key of the object.');
      return (await client.facts(key, signal)).size;
    },
    /** Client for work that a user with access started. */
    clientOf(id: number): BucketClient {
      const row = storages.get(id);
      if (row) return clients.of(row);
      throw new BucketError('missing', `The cloud storage ${id} was deleted. Connect its bucket again.`);
    },
  };
}

function namedCredentials(body: CloudStoragePatch): BucketCredentials {
  const named = credentialNames.flatMap((name) => {
    const value = body[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

const present = (row: CloudStorageRow, baseUrl: string): CloudStorage => ({
  id: row.id,
  owner: presentUser({ ...row }, 'owner', baseUrl),
  manifests: JSON.parse(row.manifests) as string[],
  provider_type: row.provider_type,
  resource: row.resource,
  display_name: row.display_name,
  created_date: row.created_date,
  updated_date: row.updated_date,
  credentials_type: row.credentials_type,
  specific_attributes: row.specific_attributes,
  description: row.description,
  organization: row.organization_id,
});
