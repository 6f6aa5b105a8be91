import type { UnsavedEdits } from './save-types.ts';

export type KeyStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'limner.unsaved.';
const keyOf = (jobId: number, session: string): string => `${prefix}${jobId}.${session}`;

const isEmpty = (edits: UnsavedEdits): boolean =>
  edits.batches.length === 0 && edits.pending.length === 0 && edits.refused.length === 0;

/**
 * Journal of an open job in one window. Writes synchronously to localStorage, so that a reload right after an edit
 * finds it. With very many waiting edits it writes less often, because each write contains all of them.
 */
export function createJobJournal(store: KeyStore, jobId: number, session: string) {
  const key = keyOf(jobId, session);
  let timer: ReturnType<typeof setTimeout> | null = null;
  let kept = true;
  let written = false;

  const save = (edits: UnsavedEdits): void => {
    timer = null;
    try {
      if (isEmpty(edits)) {
        if (written) store.removeItem(key);
        written = false;
      } else {
        store.setItem(key, JSON.stringify(edits));
        written = true;
      }
      kept = true;
    } catch {
      kept = false;
    }
  };

  return {
    /** False if the edits did not fit into the storage and are only in memory. */
    kept: () => kept,
    write(edits: UnsavedEdits) {
      if (timer !== null) clearTimeout(timer);
      const many = edits.pending.length + edits.refused.length > 300;
      if (many) timer = setTimeout(() => save(edits), 400);
      else save(edits);
    },
  };
}

const parse = (text: string | null): UnsavedEdits | null => {
  try {
    // Only this file writes under its prefix.
    return text === null ? null : (JSON.parse(text) as UnsavedEdits);
  } catch {
    return null;
  }
};

export interface FoundJournal {
  readonly key: string;
  readonly jobId: number;
  readonly edits: UnsavedEdits;
}

/** Journals in the storage: of this window, other open windows, and closed ones. */
export function findJournals(store: KeyStore): FoundJournal[] {
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
  return keys
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const edits = parse(store.getItem(key));
      const jobId = Number(key.slice(prefix.length).split('.')[0]);
      return edits === null || !Number.isInteger(jobId) ? [] : [{ key, jobId, edits }];
    });
}

/** Holds a lock for the life of the page, so that other windows know that its journal has an owner. */
export function claimJournal(locks: LockManager | undefined, jobId: number, session: string): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks?.request(keyOf(jobId, session), () => held);
  return release;
}

/** True if the window is still open, according to the held locks. */
export const isClaimed = (held: ReadonlySet<string | undefined>, jobId: number, session: string): boolean =>
  held.has(keyOf(jobId, session));

/** Journals of the job whose windows are closed. Only `forget` removes them, after they were taken over. */
export async function orphanJournals(
  store: KeyStore,
  locks: LockManager | undefined,
  jobId: number,
): Promise<FoundJournal[]> {
  const found = findJournals(store).filter((journal) => journal.jobId === jobId);
  // Usually there are none, so nothing is awaited.
  if (found.length === 0 || locks === undefined) return found;
  const held = new Set(((await locks.query()).held ?? []).map((lock) => lock.name));
  return found.filter((journal) => !held.has(journal.key));
}

export const forgetJournal = (store: KeyStore, key: string): void => store.removeItem(key);

export const objectsIn = ({ batches, pending, refused }: UnsavedEdits): number =>
  new Set([...batches.flatMap((batch) => batch.edits), ...pending, ...refused].map((edit) => edit.localId)).size;
