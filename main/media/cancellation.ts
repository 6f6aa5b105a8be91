import { AppError } from '../platform/errors.ts';

/** Throws `cancelled` if the signal is aborted. `kept` tells the user which data remains. */
export function throwIfCancelled(signal: AbortSignal | undefined, kept: string): void {
  if (signal?.aborted) throw new AppError('cancelled', `Cancelled. ${kept}`, undefined, { cause: signal.reason });
}

/**
 * Runs `work` for every item in order, at most `concurrency` at a time. After a failure no further item starts; the
 * promise settles when the running ones have ended.
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      // `next` was below the length.
      await work(items[index] as Item, index).catch((error: unknown) => {
        next = items.length;
        throw error;
      });
    }
  };
  const lanes = Array.from({ length: Math.min(concurrency, items.length) }, lane);
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
}
