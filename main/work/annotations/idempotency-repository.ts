import type { Store } from '../../db/store.ts';

export type IdempotencyRepository = ReturnType<typeof createIdempotencyRepository>;

const keptMs = 24 * 3600 * 1000;

/** Responses to saves with an `Idempotency-Key`, stored for a day. */
export function createIdempotencyRepository(database: Store) {
  const find = database.query('SELECT answer FROM idempotency WHERE key = +?');
  const store = database.query('INSERT INTO idempotency (key, user_id, answer, created_ms) VALUES (?, ?, ?, ?)');
  const expire = database.query('DELETE FROM idempotency WHERE created_ms < +?');
  return {
    find: (key: string) => (find.get(key) as { answer: string } | undefined)?.answer,
    store: (key: string, userId: number, answer: string) => void store.run(key, userId, answer, Date.now()),
    removeExpired: () => void expire.run(Date.now() - keptMs),
  };
}
