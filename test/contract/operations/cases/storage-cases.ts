import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { storageOperations } from '../../../../preload/contract/operations/storage.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import type { CasesOf } from '../operation-case.ts';

const nothing = join(tmpdir(), 'no-such-folder');

export const storageCases: CasesOf<typeof storageOperations> = {
  getStorage: { caller: ({ admin }) => admin, good: () => ({}), denied: 403, takesAnything: true },
  getVolumeMove: { caller: ({ admin }) => admin, good: () => ({}), denied: 403, takesAnything: true },
  moveVolume: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { volume: 'media', folder: temporaryFolder() } }),
    denied: 403,
    bad: () => [
      [400, { body: { volume: 'media', folder: 'relative' } }],
      [400, { body: { volume: 'media', folder: nothing } }],
      [400, { body: { volume: 'memory' as 'media', folder: tmpdir() } }],
    ],
  },
  cancelVolumeMove: { caller: ({ admin }) => admin, good: () => ({}), denied: 403, takesAnything: true },
  relinkImages: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { from: nothing, to: temporaryFolder() } }),
    denied: 403,
    bad: () => [[400, { body: { from: nothing, to: nothing } }]],
  },
};
