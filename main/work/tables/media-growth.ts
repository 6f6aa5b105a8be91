import type { Store } from '../../db/store.ts';
import { frameStep, relatedColumn, type FrameRow, type MediaRow } from './media-rows.ts';

export interface Added {
  readonly rows: readonly FrameRow[];
  readonly storage: MediaRow['storage'];
  readonly date: string;
}

interface FrameWriters {
  readonly insertFrames: (id: number, rows: Iterable<FrameRow>) => void;
  readonly setDeleted: (id: number, frame: number, isDeleted: boolean) => void;
}

/** Changes to the frames of a medium that a task has. */
export function createMediaGrowth(database: Store, { insertFrames, setDeleted }: FrameWriters) {
  const replaceFrame = database.query(
    `UPDATE frame SET file = @file, width = @width, height = @height, related = @related, identity = @identity,
       problem = NULL WHERE media_id = +@id AND frame = +@frame`,
  );
  const grow = database.query(
    `UPDATE media SET size = @size, stop_frame = @stop_frame, storage = @storage, created_date = @created_date
     WHERE id = +@id`,
  );
  const hasProblem = database.query('SELECT problem IS NOT NULL FROM frame WHERE media_id = +? AND frame = +?').pluck();
  const numbers = database.query(
    'SELECT frame, name FROM frame WHERE media_id = +? AND name IN (SELECT value FROM json_each(+?))',
  );
  const names = database.query('SELECT name FROM frame WHERE media_id = +?').pluck();
  const usesFolder = database
    .query(
      `SELECT EXISTS (SELECT 1 FROM frame WHERE media_id = +:id AND substr(ifnull(file, name), 1, +:length) = +:folder)
         OR EXISTS (SELECT 1 FROM replaced_frame WHERE media_id = +:id AND substr(file, 1, +:length) = +:folder)`,
    )
    .pluck();

  return {
    /** Adds frames behind the last one. */
    append({ id, size, start_frame: start, frame_filter: filter }: MediaRow, added: Added): void {
      insertFrames(id, added.rows);
      const total = size + added.rows.length;
      grow.run({
        id,
        size: total,
        stop_frame: start + (total - 1) * frameStep(filter),
        storage: added.storage,
        // Clients download chunks again after this date.
        created_date: added.date,
      });
    },
    /** Gives a frame another image. A frame that had no image is no longer excluded. */
    replaceFrame(id: number, row: FrameRow): void {
      const hadProblem = hasProblem.get(id, row.frame) === 1;
      const { frame: number, file, width, height, identity = null } = row;
      replaceFrame.run({ id, frame: number, file, width, height, identity, related: relatedColumn(row) });
      if (hadProblem) setDeleted(id, number, false);
    },
    /** Numbers of the frames that have one of these names. */
    frameNumbers(id: number, wanted: readonly string[]): Map<string, number> {
      const found = numbers.all(id, JSON.stringify(wanted)) as Pick<FrameRow, 'frame' | 'name'>[];
      return new Map(found.map(({ frame, name }) => [name, frame]));
    },
    frameNames: (id: number) => names.all(id) as string[],
    /** True if a frame has its file in this folder below `raw/`, or would have it after an undo. */
    usesFolder: (id: number, folder: string): boolean =>
      usesFolder.get({ id, length: folder.length + 1, folder: `${folder}/` }) === 1,
  };
}
