import { join } from 'node:path';
import { acquireInstanceLock, type InstanceLock } from './instance-lock.ts';
import type { DataDirectory } from './paths.ts';
import { finishSwap } from './swap-folders.ts';
import { homesOf, placeVolumes, requireVolumes } from './volumes.ts';

export interface DataDirectoryLock extends InstanceLock {
  /** Also locks a folder that has a moved volume, or will have one. It stays locked until the release. */
  hold(home: string): void;
}

/**
 * Locks a data directory for this process, with the folders of its moved volumes, and completes a move or restore that
 * a crash interrupted.
 * @throws AppError `conflict` that names the process with the lock, `unavailable` for a missing volume
 */
export async function takeDataDirectory({ root, lockFile }: DataDirectory): Promise<DataDirectoryLock> {
  const lock = acquireInstanceLock(lockFile);
  const others = new Map<string, InstanceLock>();
  const release = (): void => {
    for (const one of others.values()) one.release();
    others.clear();
    lock.release();
  };
  try {
    requireVolumes(root);
    // A copy of a data directory refers to the same volumes as its original.
    const hold = (home: string): void => {
      if (home !== root && !others.has(home)) others.set(home, acquireInstanceLock(join(home, 'limner.lock')));
    };
    homesOf(root).forEach(hold);
    await placeVolumes(root);
    await finishSwap(root);
    return { publish: (url) => lock.publish(url), hold, release };
  } catch (error) {
    release();
    throw error;
  }
}
