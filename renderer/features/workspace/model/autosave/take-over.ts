import type { Command } from '../../../../canvas/types.ts';
import { isClaimed } from '../saving/save-journal.ts';
import type { AutosavedWork, AutosaveStore } from './autosave-store.ts';

export interface FoundWork extends AutosavedWork {
  readonly commands: readonly Command[];
}

/** Older work is discarded. */
const keptMs = 7 * 24 * 60 * 60_000;

/** A storage that does not answer must not block the job. */
const patienceMs = 3000;

/**
 * Takes over the work of the job's last closed or crashed window and removes older entries. Null if there is none, or
 * if the storage does not deliver it in time. The job opens in any case, and work that was not taken over remains.
 */
export async function takeOverWork(
  store: Pick<AutosaveStore, 'list' | 'commands' | 'remove'>,
  locks: Pick<LockManager, 'query'> | undefined,
  jobId: number,
  longestMs = patienceMs,
): Promise<FoundWork | null> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), longestMs);
  const ended = new Promise<null>((resolve) => late.signal.addEventListener('abort', () => resolve(null)));
  try {
    return await Promise.race([take(store, locks, jobId, late.signal), ended]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function take(
  store: Parameters<typeof takeOverWork>[0],
  locks: Parameters<typeof takeOverWork>[1],
  jobId: number,
  late: AbortSignal,
): Promise<FoundWork | null> {
  const held = new Set(((await locks?.query())?.held ?? []).map((lock) => lock.name));
  const left = (await store.list(jobId)).filter(({ owner }) => !isClaimed(held, jobId, owner));
  const [newest] = left;
  const isFresh = newest !== undefined && Date.now() - newest.at < keptMs;
  const found: FoundWork | null = isFresh ? { ...newest, commands: await store.commands(newest.owner) } : null;
  if (late.aborted) return null;
  await Promise.all(left.map(({ owner }) => store.remove(owner)));
  return found;
}
