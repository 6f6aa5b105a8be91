import type { SaveQueue } from './save-queue.ts';
import type { Edit } from './save-types.ts';

/** Reads of what the service has, which own saves overtake. */
export function createSettledReading(queue: Pick<SaveQueue, 'unsaved' | 'uncertain' | 'subscribe'>) {
  /** Objects with an edit while something is being read, for each such reading. */
  const readings = new Set<Set<string>>();
  const unsavedIds = (): Set<string> => new Set(queue.unsaved().map(({ localId }) => localId));
  /** Fulfils when saving goes on. */
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
     * What is read beside a save may be from before it: while one is answered meanwhile, it is read again. Nor may it
     * hold an object whose name at the service is still to come: it would be there twice.
     * @param isConcerned whether an edit's object can be in what is read
     * @param use takes it at once: what is not sent yet then is still so
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
