import { createHash } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../platform/log.ts';

/**
 * A folder for each import that unpacks data: `data/imports/<request>`. Never synced, because an import starts again
 * after a crash.
 */
export function createWorkFolders(dataDirectory: string, log: Logger) {
  const data = join(dataDirectory, 'data');
  const root = join(data, 'imports');
  const folderOf = (requestId: string) => join(root, createHash('sha256').update(requestId).digest('hex').slice(0, 24));
  return {
    async create(requestId: string): Promise<string> {
      const folder = folderOf(requestId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    discard: (requestId: string) => rm(folderOf(requestId), { recursive: true, force: true }),
    /** Deletes the folders of earlier runs. Call it at start, before requests are resumed. */
    discardAll(): void {
      try {
        renameSync(root, join(data, `imports.left-${Date.now()}`));
      } catch {
        // The folder does not exist.
      }
      const left = readdirSync(data).filter((name) => name.startsWith('imports.left-'));
      for (const name of left) {
        rm(join(data, name), { recursive: true, force: true }).catch((error: unknown) =>
          log.warn('Cannot delete the files of an earlier import; the next start tries again', { name, error }),
        );
      }
    },
  };
}
