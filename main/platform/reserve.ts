import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from './log.ts';

export const reserveBytes = 4 * 1024 * 1024;
const pieceBytes = 64 * 1024;

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Reserves a few megabytes for a full disk. Without any space Limner could not even start, because it writes the lock,
 * the index of the store's log and a sign-in. When the disk is full the reserve is deleted, so that data can be viewed
 * and exported to another disk.
 */
export function createReserve(root: string, log: Logger) {
  const file = join(root, 'reserve');
  let isReleased = false;

  function hold(): void {
    try {
      const room = Math.min(reserveBytes, freeBytes(root));
      // Random bytes, which no file system can compress.
      writeFileSync(file, randomBytes(room - (room % pieceBytes)), { mode: 0o600, flag: 'wx' });
      isReleased = false;
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
      if (!isThere) log.warn('Cannot reserve space for the case that the disk becomes full', { error });
      if (!isThere) rmSync(file, { force: true });
    }
  }

  return {
    /** Call before the start. */
    release(): void {
      if (freeBytes(root) >= reserveBytes) return;
      rmSync(file, { force: true });
      isReleased = true;
      log.warn('The disk is full: existing data can be viewed and exported, but not changed', { root });
    },
    /** Call after the start, unless the space is needed now, and after a stop, which frees space. */
    hold,
    /** True while the disk is full and new data is rejected. */
    isShort(): boolean {
      if (isReleased && freeBytes(root) >= 2 * reserveBytes) hold();
      return isReleased;
    },
  };
}
