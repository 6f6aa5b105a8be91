import type { SceneRecord } from '../../../canvas/types.ts';

const keyOf = (jobId: number): string => `limner.suggestions.${jobId}`;
const writeDelayMs = 200;

interface KeeperOptions {
  readonly store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly jobId: number;
  /** Proposals whose label is gone cannot be accepted any more. */
  readonly hasLabel: (labelId: number) => boolean;
  /** They do not fit into the store: a reload would lose them. Told once. */
  readonly onFull: () => void;
}

/** Open proposals of a job in the store of the browser's tab, so that a reload finds them again. */
export function createSuggestionKeeper({ store, jobId, hasLabel, onFull }: KeeperOptions) {
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
        // Only this file writes under its key.
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
    /** Writes what waits, at once. */
    flush,
  };
}
