import type { BucketState, CloudStorageWrite } from '../../preload/contract/schema/cloud-storages.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { fileKind } from '../platform/file-kind.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { createBucketClient, pageLimit, type BucketClient } from './bucket-client.ts';
import { bucketConnection, type BucketCredentials } from './bucket-connection.ts';
import { BucketError } from './bucket-error.ts';
import type { CloudStorageRow } from './cloud-storage-repository.ts';
import { manifestImages } from './manifest.ts';
import type { SendRequest } from './object-request.ts';

/** Larger objects are not read for a preview. */
const maxPreviewBytes = 64 * 1024 * 1024;

/** Clients of stored buckets, and questions to them. */
export function createBucketClients({ secrets, send }: { readonly secrets: SecretBox; readonly send: SendRequest }) {
  /** By storage, with the date of the row that they were created from. */
  const clients = new Map<number, { readonly date: string; readonly client: BucketClient }>();
  const credentialsOf = (row: CloudStorageRow): BucketCredentials =>
    JSON.parse(secrets.open(row.credentials)) as BucketCredentials;

  function of(row: CloudStorageRow): BucketClient {
    const known = clients.get(row.id);
    if (known?.date === row.updated_date) return known.client;
    const client = createBucketClient(bucketConnection(row, credentialsOf(row)), send);
    clients.set(row.id, { date: row.updated_date, client });
    return client;
  }

  return {
    of,
    credentialsOf,
    forget: (id: number): void => void clients.delete(id),
    /** Refuses a storage that cannot be used, or whose manifests are missing. @throws AppError 400 */
    async requireUsable(fields: CloudStorageWrite, credentials: BucketCredentials): Promise<void> {
      const client = createBucketClient(bucketConnection(fields, credentials), send);
      try {
        await client.check();
      } catch (error) {
        if (!(error instanceof BucketError)) throw error;
        throw invalidField(error.problem === 'forbidden' ? 'credentials' : 'resource', error.message);
      }
      for (const path of fields.manifests) {
        await client.facts(path).catch((error: unknown) => {
          if (!(error instanceof BucketError)) throw error;
          throw invalidField('manifests', `Cannot use the manifest ${path}: ${error.message}`);
        });
      }
    },
    async state(row: CloudStorageRow, signal?: AbortSignal): Promise<BucketState> {
      try {
        await of(row).check(signal);
        return { status: 'AVAILABLE', reachable: true, message: '' };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const problem = error instanceof BucketError ? error.problem : 'failed';
        const status = problem === 'forbidden' ? 'FORBIDDEN' : 'NOT_FOUND';
        return { status, reachable: problem !== 'unreachable', message: error.message };
      }
    },
    /** First image of the manifest, or of the first page of the bucket. */
    async firstImage(row: CloudStorageRow, signal: AbortSignal): Promise<string | null> {
      const client = of(row);
      const [manifest] = JSON.parse(row.manifests) as string[];
      if (manifest !== undefined) {
        for await (const { key } of manifestImages(client, manifest, signal)) return key;
        return null;
      }
      const { objects } = await client.page({ prefix: client.connection.prefix, limit: pageLimit }, signal);
      return objects.find(({ key, size }) => fileKind(key) === 'image' && size <= maxPreviewBytes)?.key ?? null;
    },
  };
}
