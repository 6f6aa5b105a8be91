import type { Store } from '../../db/store.ts';

interface Waiting {
  /** Returns a function that resolves the waiting promise after the commit. */
  readonly write: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** Time that a write waits for others to join its transaction. */
const gatherMs = 3;

/**
 * Combines writes in one transaction, because a commit costs as much as many rows. A write resolves after it is stored.
 * @param writers number of possible writers; when all have joined, the commit does not wait any longer
 */
export function createGroupCommit(database: Store, writers: () => number) {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    const group = waiting;
    waiting = [];
    store(group);
  }

  function store(group: readonly Waiting[]): void {
    try {
      const written = database.write(() => group.map(({ write }) => write()));
      for (const resolve of written) resolve();
    } catch (error) {
      // An invalid write must not prevent the others.
      if (group.length > 1) for (const one of group) store([one]);
      else group[0]?.reject(error);
    }
  }

  return <Result>(write: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({
        write() {
          const result = write();
          return () => resolve(result);
        },
        reject,
      });
      if (waiting.length >= writers()) setImmediate(flush);
      else timer ??= setTimeout(flush, gatherMs);
    });
}
