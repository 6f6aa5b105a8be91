import type { SaveQueue } from './save-queue.ts';
import type { Edit } from './save-types.ts';

/** Reads of what the service has, which own saves overtake. */
export function createSettledReading(queue: Pick<SaveQueue, 'unsaved'>) {
  /** Objects with an edit while something is being read, for each such reading. */
  const readings = new Set<Set<string>>();
  const unsavedIds = (): Set<string> => new Set(queue.unsaved().map(({ localId }) => localId));

  return {
    edited(edits: readonly Edit[]) {
      for (const ids of readings) for (const { localId } of edits) ids.add(localId);
    },
    /** What is read beside a save may be from before it: while one is answered meanwhile, it is read again. */
    async read<Data>(load: () => Promise<Data>): Promise<Data> {
      for (;;) {
        const ids = unsavedIds();
        readings.add(ids);
        const data = await load().finally(() => readings.delete(ids));
        const waiting = unsavedIds();
        if ([...ids].every((id) => waiting.has(id))) return data;
      }
    },
  };
}
