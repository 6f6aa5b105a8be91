import type { UnsavedEdits } from './save-types.ts';

/** The part of localStorage that the journal uses. */
export type KeyStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'limner.unsaved.';
const keyOf = (jobId: number, session: string): string => `${prefix}${jobId}.${session}`;

const isEmpty = (edits: UnsavedEdits): boolean =>
  edits.batches.length === 0 && edits.pending.length === 0 && edits.refused.length === 0;

/**
 * The journal of one opened job in one window. It writes at once (localStorage is synchronous, so that a reload right
 * after an edit finds it), except while very much is waiting, when writing the whole of it for each edit would be slow.
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
    /** False when the edits did not fit into the browser's store: they are then in memory only. */
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

/** The journals that are in the store: of this window, of other open windows, and of ones that are gone. */
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

/** Holds a name for the life of the page, so that other windows see that its journal has an owner. */
export function claimJournal(locks: LockManager | undefined, jobId: number, session: string): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks?.request(keyOf(jobId, session), () => held);
  return release;
}

/** Whether a window is open still, by the names that are held now. */
export const isClaimed = (held: ReadonlySet<string | undefined>, jobId: number, session: string): boolean =>
  held.has(keyOf(jobId, session));

/** Journals of the job whose windows are gone. They leave the store only through `forget`, once taken over. */
export async function orphanJournals(
  store: KeyStore,
  locks: LockManager | undefined,
  jobId: number,
): Promise<FoundJournal[]> {
  const found = findJournals(store).filter((journal) => journal.jobId === jobId);
  // Most often nothing was left, and then nothing is waited for.
  if (found.length === 0 || locks === undefined) return found;
  const held = new Set(((await locks.query()).held ?? []).map((lock) => lock.name));
  return found.filter((journal) => !held.has(journal.key));
}

export const forgetJournal = (store: KeyStore, key: string): void => store.removeItem(key);

/** Number of objects with an unsent edit; one that was changed several times counts once. */
export const objectsIn = ({ batches, pending, refused }: UnsavedEdits): number =>
  new Set([...batches.flatMap((batch) => batch.edits), ...pending, ...refused].map((edit) => edit.localId)).size;
