import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { administrationOperations } from '../../../../preload/contract/operations/administration.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import type { CasesOf } from '../operation-case.ts';

const nothing = join(tmpdir(), 'no-such-folder');
const noBackup = join(nothing, 'backup.limner');

export const administrationCases: CasesOf<typeof administrationOperations> = {
  listHistory: {
    good: ({ task }) => ({ query: { task_id: task.id } }),

    bad: () => [
      [403, { query: {} }],
      [400, { query: { task_id: 'one' as unknown as number } }],
      [400, { query: { kind: 'shape' as 'task' } }],
      [400, { query: { limit: 1000 } }],
      [404, { query: { project_id: 999_999 } }],
    ],
  },
  getBackups: { caller: ({ admin }) => admin, good: () => ({}), takesAnything: true },
  changeBackupSettings: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { folder: tmpdir(), every: 'never', keep: 3 } }),

    bad: () => [
      [400, { body: { folder: 'relative' } }],
      [400, { body: { folder: join(tmpdir(), 'no-such-folder') } }],
      [400, { body: { keep: 0 } }],
      [400, { body: { every: 'century' as 'day' } }],
    ],
  },
  createBackup: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { file: noBackup } }),

    bad: () => [[400, { body: { file: 'relative.limner' } }]],
  },
  cancelBackup: { caller: ({ admin }) => admin, good: () => ({}), takesAnything: true },
  restoreBackup: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { file: import.meta.filename } }),

    bad: () => [
      [400, { body: { file: 'relative.limner' } }],
      [400, { body: { file: noBackup } }],
    ],
  },
  listLog: {
    caller: ({ admin }) => admin,
    good: () => ({ query: { level: 'warn' } }),

    bad: () => [
      [400, { query: { level: 'fatal' as 'error' } }],
      [400, { query: { limit: 0 } }],
    ],
  },
  describeReport: { caller: ({ admin }) => admin, good: () => ({}), takesAnything: true },
  getSettings: { caller: ({ admin }) => admin, good: () => ({}), takesAnything: true },
  changeSettings: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { ffmpeg_path: null, formats_folder: tmpdir() } }),

    bad: () => [
      [400, { body: { ffmpeg_path: 'ffmpeg' } }],
      [400, { body: { ffmpeg_path: nothing } }],
      [400, { body: { ffmpeg_path: import.meta.filename } }],
      [400, { body: { formats_folder: nothing } }],
      [400, { body: { update_address: 'http://192.0.2.1/latest' } }],
    ],
  },
  checkForUpdate: { caller: ({ admin }) => admin, good: () => ({}), goodStatus: 409, takesAnything: true },
  getStorage: { caller: ({ admin }) => admin, good: () => ({}), takesAnything: true },
  getVolumeMove: { caller: ({ admin }) => admin, good: () => ({}), takesAnything: true },
  moveVolume: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { volume: 'media', folder: temporaryFolder() } }),

    bad: () => [
      [400, { body: { volume: 'media', folder: 'relative' } }],
      [400, { body: { volume: 'media', folder: nothing } }],
      [400, { body: { volume: 'memory' as 'media', folder: tmpdir() } }],
    ],
  },
  cancelVolumeMove: { caller: ({ admin }) => admin, good: () => ({}), takesAnything: true },
  relinkImages: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { from: nothing, to: temporaryFolder() } }),

    bad: () => [[400, { body: { from: nothing, to: nothing } }]],
  },
};
