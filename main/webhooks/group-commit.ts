import type { Database } from '../db/open.ts';

export type GroupCommit = ReturnType<typeof createGroupCommit>;

interface Waiting {
  /** Answers how the waiting promise is to be resolved once everything is stored. */
  readonly write: () => () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes that come in the same turn of the event loop share one transaction: many webhooks that deliver at once cost
 * one commit. Whoever waits for a write knows that it is stored.
 */
export function createGroupCommit(database: Database) {
  let waiting: Waiting[] = [];

  function flush(): void {
    const group = waiting;
    waiting = [];
    try {
      const written = database.transaction(() => group.map(({ write }) => write())).immediate();
      for (const resolve of written) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return <Result>(write: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({
        write() {
          const result = write();
          return () => resolve(result);
        },
        reject,
      });
    });
}
