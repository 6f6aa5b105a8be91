import type { Command } from '../../../canvas/types.ts';
import { isClaimed } from '../saving/save-journal.ts';
import type { KeptWork, WorkStore } from './work-store.ts';

export interface FoundWork extends KeptWork {
  readonly commands: readonly Command[];
}

/** Longer ago nobody wants it back. */
const keptMs = 7 * 24 * 60 * 60_000;

/**
 * What the last window of a job that is gone had, reloaded, crashed or closed. Null: nothing, or the browser does not
 * give it; the job opens all the same. Older ones are removed.
 */
export async function takeOverWork(store: WorkStore, locks: LockManager | undefined, jobId: number) {
  try {
    const held = new Set(((await locks?.query())?.held ?? []).map((lock) => lock.name));
    const left = (await store.list(jobId)).filter(({ owner }) => !isClaimed(held, jobId, owner));
    const [newest] = left;
    const isFresh = newest !== undefined && Date.now() - newest.at < keptMs;
    const found: FoundWork | null = isFresh ? { ...newest, commands: await store.commands(newest.owner) } : null;
    await Promise.all(left.map(({ owner }) => store.remove(owner)));
    return found;
  } catch {
    return null;
  }
}
