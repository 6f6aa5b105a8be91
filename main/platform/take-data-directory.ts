import { join } from 'node:path';
import { acquireInstanceLock, type InstanceLock } from './instance-lock.ts';
import type { DataDirectory } from './paths.ts';
import { finishSwap } from './swap-parts.ts';
import { homesOf, placeVolumes, requireVolumes } from './volumes.ts';

export interface DataDirectoryLock extends InstanceLock {
  /** Also a folder that a volume is moved to. */
  hold(home: string): void;
}

/**
 * Takes a data directory for this process, with the folders that its moved volumes live in, and ends what a crash left of a
 * move or a restore.
 * @throws AppError `conflict` that names the process which holds it, `unavailable` for a volume that is not there
 */
export async function takeDataDirectory({ root, lockFile }: DataDirectory): Promise<DataDirectoryLock> {
  const lock = acquireInstanceLock(lockFile);
  const others: InstanceLock[] = [];
  const release = (): void => {
    for (const one of others.splice(0)) one.release();
    lock.release();
  };
  try {
    requireVolumes(root);
    // A data directory that was copied names the same volumes as the one that it was copied from.
    const hold = (home: string): void => void others.push(acquireInstanceLock(join(home, 'limner.lock')));
    for (const home of homesOf(root)) if (home !== root) hold(home);
    await placeVolumes(root);
    await finishSwap(root);
    return { publish: (url) => lock.publish(url), hold, release };
  } catch (error) {
    release();
    throw error;
  }
}
