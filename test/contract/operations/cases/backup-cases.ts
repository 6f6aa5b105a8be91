import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { backupOperations } from '../../../../preload/contract/operations/backups.ts';
import type { CasesOf } from '../operation-case.ts';

const nothing = join(tmpdir(), 'no-such-folder', 'backup.limner');

export const backupCases: CasesOf<typeof backupOperations> = {
  getBackups: { caller: ({ admin }) => admin, good: () => ({}), denied: 403, takesAnything: true },
  changeBackupSettings: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { folder: tmpdir(), every: 'never', keep: 3 } }),
    denied: 403,
    bad: () => [
      [400, { body: { folder: 'relative' } }],
      [400, { body: { folder: join(tmpdir(), 'no-such-folder') } }],
      [400, { body: { keep: 0 } }],
      [400, { body: { every: 'century' as 'day' } }],
    ],
  },
  makeBackup: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { file: nothing } }),
    denied: 403,
    bad: () => [[400, { body: { file: 'relative.limner' } }]],
  },
  cancelBackup: { caller: ({ admin }) => admin, good: () => ({}), denied: 403, takesAnything: true },
  restoreBackup: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { file: import.meta.filename } }),
    denied: 403,
    bad: () => [
      [400, { body: { file: 'relative.limner' } }],
      [400, { body: { file: nothing } }],
    ],
  },
};
