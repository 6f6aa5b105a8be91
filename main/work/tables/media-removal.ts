import type { Store } from '../../db/store.ts';

/** Rows that the background removal deletes in one transaction: some milliseconds of write lock. */
const removalBatch = 2000;

/** Removes media of which no task shows a frame. A task may have 100,000 frames. */
export function createMediaRemoval(database: Store) {
  const discard = database.query('INSERT OR IGNORE INTO discarded_media (media_id) VALUES (?)');
  // A bucket with tasks cannot be deleted; this medium has none.
  const leaveBucket = database.query('UPDATE media SET cloud_storage_id = NULL WHERE id = +?');
  const unused = database
    .query<[], number>('SELECT id FROM media WHERE NOT EXISTS (SELECT 1 FROM task WHERE task.media_id = media.id)')
    .pluck();
  const first = database.query('SELECT media_id FROM discarded_media LIMIT 1').pluck();
  const removals = ['frame', 'deleted_frame'].map((table) =>
    database.query(
      `DELETE FROM ${table} WHERE media_id = +:id
         AND frame IN (SELECT frame FROM ${table} WHERE media_id = +:id LIMIT ${removalBatch})`,
    ),
  );
  const remove = database.query('DELETE FROM media WHERE id = +?');

  function discardOne(id: number): void {
    discard.run(id);
    leaveBucket.run(id);
  }

  /** One bounded step. Returns false when no discarded medium is left. */
  function removeSome(): boolean {
    const id = first.get() as number | undefined;
    if (id === undefined) return false;
    for (const rows of removals) if (rows.run({ id }).changes > 0) return true;
    remove.run(id);
    return true;
  }

  return {
    /** Its rows are deleted in the background. Call `collect` of the garbage collector after the commit. */
    discard: (id: number): void => database.write(() => discardOne(id)),
    /** Discards media of tasks whose creation was interrupted. Call at the start, when none is being created. */
    discardUnused: (): void => database.write(() => unused.all().forEach(discardOne)),
    /** Deletes the rows of discarded media in short transactions and yields in between. */
    async removeDiscarded(yieldToOthers: () => Promise<void>, signal: AbortSignal): Promise<void> {
      while (!signal.aborted && database.write(removeSome)) await yieldToOthers();
    },
  };
}
