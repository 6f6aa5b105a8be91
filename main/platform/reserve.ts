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
 * A few megabytes of the disk that are kept for the day on which it is full: without any space Limner could not even
 * start, since the lock, the index of the store's log and a sign-in are written, too. Then the file goes, and what is
 * in the data directory can be looked at and exported to another disk.
 */
export function createReserve(root: string, log: Logger) {
  const file = join(root, 'reserve');
  let isReleased = false;

  function hold(): void {
    try {
      const room = Math.min(reserveBytes, freeBytes(root));
      // Bytes that no file system makes smaller.
      writeFileSync(file, randomBytes(room - (room % pieceBytes)), { mode: 0o600, flag: 'wx' });
      isReleased = false;
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
      if (!isThere) log.warn('No space could be kept for the day on which the disk is full', { error });
      if (!isThere) rmSync(file, { force: true });
    }
  }

  return {
    /** Before the start. */
    release(): void {
      if (freeBytes(root) >= reserveBytes) return;
      rmSync(file, { force: true });
      isReleased = true;
      log.warn('The disk is full: what is there can be looked at and exported, and is not changed', { root });
    },
    /** After the start, unless the space is needed now, and after a stop, which gives space back. */
    hold,
    /** Whether Limner lives from its reserve, which is not for new work. Ends when there is space again. */
    isShort(): boolean {
      if (isReleased && freeBytes(root) >= 2 * reserveBytes) hold();
      return isReleased;
    },
  };
}
