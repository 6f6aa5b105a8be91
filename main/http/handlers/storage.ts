import type { storageOperations } from '../../../preload/contract/operations/storage.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export const createStorageHandlers = ({ storage }: Pick<Core, 'storage'>): HandlersOf<typeof storageOperations> => ({
  getStorage: ({ actor }) => storage.get(actor),
  getVolumeMove: ({ actor }) => storage.move(actor),
  moveVolume: ({ actor, body }) => storage.begin(actor, body),
  cancelVolumeMove: ({ actor }) => storage.cancel(actor),
  relinkImages: ({ actor, body }) => storage.relink(actor, body),
});
