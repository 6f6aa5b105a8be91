import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, readable by their owner only. On file systems that refuse (`/proc`), Node's own
 * `recursive` option retries forever; this throws. Returns the topmost created folder.
 */
export function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return undefined;
    const isAboveMissing = code === 'ENOENT' && statSync(dirname(path), { throwIfNoEntry: false }) === undefined;
    if (!isAboveMissing || dirname(path) === path) throw error;
    const first = makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
    return first ?? path;
  }
}
