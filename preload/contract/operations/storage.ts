import { operation } from '../operation.ts';
import * as storage from '../schema/storage.ts';

/** Limner's own: where the volumes of the workbench are, and the images that are used in place. For administrators. */
export const storageOperations = {
  getStorage: operation.get('/api/limner/storage', 'Volumes with their sizes and places, and images used in place', {
    output: storage.storageSchema,
  }),
  getVolumeMove: operation.get('/api/limner/storage/move', 'How far the move of a volume is, and how the last ended', {
    output: storage.storageMoveSchema,
  }),
  moveVolume: operation.post('/api/limner/storage/move', 'Move a volume into another folder of this computer', {
    status: 202,
    body: storage.moveVolumeSchema,
    output: storage.storageMoveSchema,
  }),
  cancelVolumeMove: operation.post('/api/limner/storage/cancel', 'Cancel the move of a volume', {
    status: 200,
    output: storage.storageMoveSchema,
  }),
  relinkImages: operation.post('/api/limner/storage/relink', 'Say where images used in place are now', {
    status: 200,
    body: storage.relinkImagesSchema,
    output: storage.relinkedSchema,
  }),
} as const;
