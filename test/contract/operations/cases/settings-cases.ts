import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { settingsOperations } from '../../../../preload/contract/operations/settings.ts';
import type { CasesOf } from '../operation-case.ts';

const nothing = join(tmpdir(), 'no-such-folder');

export const settingsCases: CasesOf<typeof settingsOperations> = {
  getSettings: { caller: ({ admin }) => admin, good: () => ({}), denied: 403, takesAnything: true },
  changeSettings: {
    caller: ({ admin }) => admin,
    good: () => ({ body: { ffmpeg_path: null, formats_folder: tmpdir() } }),
    denied: 403,
    bad: () => [
      [400, { body: { ffmpeg_path: 'ffmpeg' } }],
      [400, { body: { ffmpeg_path: nothing } }],
      [400, { body: { ffmpeg_path: import.meta.filename } }],
      [400, { body: { formats_folder: nothing } }],
    ],
  },
};
