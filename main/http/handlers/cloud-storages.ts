import type {
  cloudStorageFileOperations,
  cloudStorageOperations,
} from '../../../preload/contract/operations/cloud-storages.ts';
import type { Services } from '../../composition/services.ts';
import { fileAnswer } from '../file-answer.ts';
import type { HandlersOf, RawHandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

type CloudServices = Pick<Services, 'cloudStorages' | 'bucketManifests'>;

export const createCloudStorageHandlers = ({
  cloudStorages,
  bucketManifests,
}: CloudServices): HandlersOf<typeof cloudStorageOperations> => ({
  listCloudStorages: listHandler(cloudStorages.list),
  createCloudStorage: ({ actor, body }) => cloudStorages.create(actor, body),
  getCloudStorage: ({ actor, params }) => cloudStorages.get(actor, params.id),
  updateCloudStorage: ({ actor, params, body }) => cloudStorages.update(actor, params.id, body),
  deleteCloudStorage: ({ actor, params }) => cloudStorages.remove(actor, params.id),
  getCloudStorageContent: ({ actor, params, query, request }) =>
    cloudStorages.content(actor, params.id, query, request.signal),
  getCloudStorageStatus: async ({ actor, params, request }) =>
    (await cloudStorages.state(actor, params.id, request.signal)).status,
  getCloudStorageActions: ({ actor, params }) => cloudStorages.actions(actor, params.id),
  getCloudStorageState: ({ actor, params, request }) => cloudStorages.state(actor, params.id, request.signal),
  createCloudStorageManifest: ({ actor, params, body }) => bucketManifests.start(actor, params.id, body),
});

export const createCloudStorageFileHandlers = ({
  cloudStorages,
}: Pick<CloudServices, 'cloudStorages'>): RawHandlersOf<typeof cloudStorageFileOperations> => ({
  async getCloudStoragePreview({ actor, params, request }) {
    const bytes = new Uint8Array(await cloudStorages.preview(actor, params.id, request.signal));
    return fileAnswer(request.raw, {
      content: { bytes },
      contentType: 'image/jpeg',
      cacheControl: 'private, max-age=300',
    });
  },
});
