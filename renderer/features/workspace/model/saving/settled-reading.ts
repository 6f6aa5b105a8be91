import type { SaveQueue } from './save-queue.ts';
import type { Edit } from './save-types.ts';

/** Reads of the service's state that concurrent saves do not invalidate. */
export function createSettledReading(queue: Pick<SaveQueue, 'unsaved' | 'uncertain' | 'subscribe'>) {
  /** For each running read, the objects edited since it began. */
  const readings = new Set<Set<string>>();
  const unsavedIds = (): Set<string> => new Set(queue.unsaved().map(({ localId }) => localId));
  const news = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = queue.subscribe(() => {
        stop();
        resolve();
      });
    });

  return {
    edited(edits: readonly Edit[]) {
      for (const ids of readings) for (const { localId } of edits) ids.add(localId);
    },
    /**
     * Reads consistently: a read concurrent with a save is repeated, because its result may be outdated. Objects with
     * an unknown server id delay it, because they would appear twice.
     * @param isConcerned true if the edit's object can be in the result
     * @param use receives the result synchronously, while the unsent edits are the same
     */
    async read<Data, Result>(
      load: () => Promise<Data>,
      isConcerned: (edit: Edit) => boolean,
      use: (data: Data) => Result,
    ): Promise<Result> {
      for (;;) {
        const ids = unsavedIds();
        readings.add(ids);
        const data = await load().finally(() => readings.delete(ids));
        if (queue.uncertain().some(isConcerned)) {
          await news();
          continue;
        }
        const waiting = unsavedIds();
        if ([...ids].every((id) => waiting.has(id))) return use(data);
      }
    },
  };
}
