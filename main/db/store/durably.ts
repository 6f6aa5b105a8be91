import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Returns when the bytes of a file are on the disk, or the names in a folder: what was moved into it, or out of it. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Windows has no sync of folders, and keeps their order itself.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  } finally {
    closeSync(descriptor);
  }
}
