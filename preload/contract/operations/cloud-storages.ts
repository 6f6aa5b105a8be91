import { z } from 'zod';
import { equalTo, organizationQuery, rqIdSchema } from '../schema/common.ts';
import * as storages from '../schema/cloud-storages.ts';
import { collection, operation, raw } from '../operation.ts';

const collected = collection('/api/cloudstorages', storages.cloudStorageSchema);
const text = z.string().optional();

export const cloudStorageOperations = {
  listCloudStorages: collected.list('Cloud storages that you can see', {
    ...equalTo('provider_type', 'name', 'resource', 'credentials_type', 'owner'),
  }),
  createCloudStorage: operation.post('/api/cloudstorages', 'Connect a bucket. Its credentials are stored encrypted', {
    query: z.object(organizationQuery),
    body: storages.cloudStorageWriteSchema,
    output: storages.cloudStorageSchema,
  }),
  getCloudStorage: collected.get('One cloud storage'),
  updateCloudStorage: collected.update('Change a cloud storage', storages.cloudStoragePatchSchema),
  deleteCloudStorage: collected.delete('Delete a cloud storage. The bucket is unchanged'),
  getCloudStorageContent: operation.get(
    '/api/cloudstorages/{id}/content-v2',
    'Objects and prefixes of a bucket, or images of a manifest',
    {
      query: z.object({ prefix: text, manifest_path: text, next_token: text, page_size: text }),
      output: storages.cloudStorageContentSchema,
    },
  ),
  getCloudStorageStatus: operation.get('/api/cloudstorages/{id}/status', 'Whether a bucket can be used', {
    output: storages.bucketStatusSchema,
  }),
  getCloudStorageActions: operation.get('/api/cloudstorages/{id}/actions', 'Permitted actions on a bucket', {
    output: z.string(),
  }),
  getCloudStorageState: operation.get(
    '/api/limner/cloudstorages/{id}/state',
    'Status of a bucket, with a sentence that tells why it cannot be used',
    { output: storages.bucketStateSchema },
  ),
  createCloudStorageManifest: operation.post(
    '/api/limner/cloudstorages/{id}/manifest',
    'Write a manifest of the images below a prefix to the bucket',
    { status: 202, body: storages.manifestRequestSchema, output: rqIdSchema },
  ),
} as const;

export const cloudStorageFileOperations = {
  getCloudStoragePreview: raw.bytes('/api/cloudstorages/{id}/preview', 'First image of a bucket', { statuses: [200] }),
} as const;
