import type { cloudStorageOperations } from '../../../../preload/contract/operations/cloud-storages.ts';
import type { CasesOf } from '../operation-case.ts';
import { type OperationWorld } from '../operation-world.ts';

const params = async ({ newCloudStorage }: OperationWorld) => ({ params: { id: await newCloudStorage() } });

export const cloudStorageCases: CasesOf<typeof cloudStorageOperations> = {
  listCloudStorages: { good: ({ newCloudStorage }) => newCloudStorage().then(() => ({})), denied: 'sees less' },
  createCloudStorage: {
    good: ({ bucket }) => ({ body: bucket.storage }),
    denied: 'everybody',
    bad: ({ bucket: { storage } }) => [
      [400, { body: { ...storage, resource: 'another-bucket' } }],
      [400, { body: { ...storage, credentials_type: 'KEY_FILE_PATH' } }],
      [400, { body: { ...storage, key: '' } }],
      [400, { body: { ...storage, specific_attributes: 'endpoint_url=ftp%3A%2F%2Fx' } }],
      [400, { body: { ...storage, specific_attributes: 'zone=1' } }],
      [400, { body: { ...storage, manifests: ['absent.jsonl'] } }],
      [404, { query: { org: 'nobody' } }],
    ],
  },
  getCloudStorage: { good: params },
  updateCloudStorage: {
    good: async (world) => ({ ...(await params(world)), body: { display_name: 'Renamed' } }),
    bad: () => [
      [400, { body: { display_name: '' } }],
      [400, { body: { resource: 'another-bucket' } }],
    ],
  },
  deleteCloudStorage: { good: params },
  getCloudStorageContent: { good: params, bad: () => [[400, { query: { page_size: '0' } }]] },
  getCloudStorageStatus: { good: params },
  getCloudStorageActions: { good: params },
  getCloudStorageState: { good: params },
  createCloudStorageManifest: {
    good: async (world) => ({ ...(await params(world)), body: { path: `manifest-${crypto.randomUUID()}.jsonl` } }),
    bad: () => [
      [400, { body: { prefix: 'no-slash' } }],
      [400, { body: { path: 'manifest.txt' } }],
      [400, { body: { path: 'elsewhere/manifest.jsonl' } }],
    ],
  },
};
