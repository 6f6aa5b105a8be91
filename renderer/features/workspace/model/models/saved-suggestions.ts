import type { SceneRecord } from '../../../../canvas/types.ts';

const keyOf = (jobId: number): string => `limner.suggestions.${jobId}`;
const writeDelayMs = 200;

interface RuntimeOptions {
  readonly store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly jobId: number;
  /** Proposals of deleted labels cannot be accepted. */
  readonly hasLabel: (labelId: number) => boolean;
  /** Called once when the storage is full and a reload would lose proposals. */
  readonly onFull: () => void;
}

/** Saves open proposals of a job in the session storage, so that they survive a reload. */
export function createSavedSuggestions({ store, jobId, hasLabel, onFull }: RuntimeOptions) {
  const key = keyOf(jobId);
  let waiting: readonly SceneRecord[] | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFull = false;

  const flush = (): void => {
    clearTimeout(timer);
    const records = waiting;
    waiting = null;
    if (records === null) return;
    try {
      if (records.length === 0) store.removeItem(key);
      else store.setItem(key, JSON.stringify(records));
      isFull = false;
    } catch {
      if (!isFull) onFull();
      isFull = true;
    }
  };
  return {
    read(): readonly SceneRecord[] {
      try {
        // Only this file writes this key.
        const records = JSON.parse(store.getItem(key) ?? '[]') as readonly SceneRecord[];
        return records.filter((record) => hasLabel(record.labelId));
      } catch {
        return [];
      }
    },
    write(records: readonly SceneRecord[]) {
      waiting = records;
      clearTimeout(timer);
      timer = setTimeout(flush, writeDelayMs);
    },
    flush,
  };
}
