import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, readable by their owner only. Where the file system takes none (`/proc`), Node's own
 * `recursive` tries for ever; this fails. Answers the topmost folder that was made.
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
