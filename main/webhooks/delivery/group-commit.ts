import type { Database } from '../../db/open.ts';

interface Waiting {
  /** Answers how the waiting promise is to be resolved once everything is stored. */
  readonly write: () => () => void;
  readonly reject: (error: unknown) => void;
}

/** How long one who wants to write waits for others who may want to soon. */
const gatherMs = 3;

/**
 * Writes of several share one transaction, as a commit costs as much as many rows. Whoever waits for a write knows that
 * it is stored.
 * @param writers how many may come with a write: when all of them have come there is nobody to wait for
 */
export function createGroupCommit(database: Database, writers: () => number) {
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
      const written = database.transaction(() => group.map(({ write }) => write())).immediate();
      for (const resolve of written) resolve();
    } catch (error) {
      // One that cannot be written must not take the others with it.
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
