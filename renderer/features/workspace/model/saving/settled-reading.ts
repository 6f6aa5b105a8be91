import type { SaveQueue } from './save-queue.ts';
import type { Edit } from './save-types.ts';

interface Reading {
  /** Objects with an unsaved edit since it began. */
  readonly ids: Set<string>;
  /** True if one of them was saved: the result may be older or newer than the save. */
  isOutdated: boolean;
}

/** Reads of the service's state that concurrent saves do not invalidate. */
export function createSettledReading(queue: Pick<SaveQueue, 'unsaved' | 'uncertain' | 'subscribe' | 'onSaved'>) {
  const readings = new Set<Reading>();
  queue.onSaved((edits) => {
    for (const reading of readings) reading.isOutdated ||= edits.some(({ localId }) => reading.ids.has(localId));
  });
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
      for (const { ids } of readings) for (const { localId } of edits) ids.add(localId);
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
        const reading: Reading = { ids: unsavedIds(), isOutdated: false };
        readings.add(reading);
        try {
          const data = await load();
          if (queue.uncertain().some(isConcerned)) {
            await news();
            continue;
          }
          const waiting = unsavedIds();
          if (!reading.isOutdated && [...reading.ids].every((id) => waiting.has(id))) return use(data);
        } finally {
          // Not before, because an object may be saved between the answer and its use.
          readings.delete(reading);
        }
      }
    },
  };
}
