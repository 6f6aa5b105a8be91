import { setImmediate as nextTurn } from 'node:timers/promises';

/** Objects that a portion of long work handles: some milliseconds of the thread that answers requests. */
export const portionSize = 250;

/** Long work on the thread that answers requests. It yields after each portion. */
export type Portions<Result> = Generator<unknown, Result>;

/** Runs long work and lets other requests run after each portion. */
export async function inPortions<Result>(work: Portions<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      await nextTurn();
      signal?.throwIfAborted();
    }
  } finally {
    // After an abort, runs the `finally` blocks of the work.
    work.return(undefined as never);
  }
}

/** Runs long work in one go, where nothing may change in between. */
export function atOnce<Result>(work: Portions<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Yields null after each portion, among work that yields results. */
export function* yieldingNull<Result>(work: Portions<Result>): Generator<null, Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    yield null;
  }
}

/** Uses the items one by one, and yields after each portion of them. */
export function* eachInPortions<Item>(items: Iterable<Item>, use: (item: Item) => void): Portions<void> {
  let count = 0;
  for (const item of items) {
    use(item);
    count += 1;
    if (count % portionSize === 0) yield;
  }
}

/** Splits a list into portions. */
export function* portionsOf<Item>(items: readonly Item[], size = portionSize): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
