import type { Store } from '../../db/store.ts';

/** Folder below `raw/` with the images that stand for removed ones. */
export const standInFolder = '.removed';

export interface Tombstone {
  readonly frame: number;
  /** Path of the image that stands for the removed one. */
  readonly file: string;
  /** Sentence that tells why the frame has no image. */
  readonly problem: string;
}

interface SavedFrame {
  readonly id: number;
  readonly media_id: number;
  readonly frame: number;
  readonly deleted: 0 | 1;
}

interface Files {
  readonly file: string;
  readonly related: string | null;
}

const filesOf = (rows: readonly Files[]): string[] =>
  rows.flatMap(({ file, related }) => [file, ...(related === null ? [] : (JSON.parse(related) as string[]))]);

export type ReplacedFrameRepository = ReturnType<typeof createReplacedFrameRepository>;

/** Contents that frames had before their images were removed or replaced. All methods run inside a transaction. */
export function createReplacedFrameRepository(database: Store) {
  const contents = 'file, width, height, related, identity, problem';
  const save = database.query(
    `INSERT INTO replaced_frame (change_id, media_id, frame, ${contents}, deleted)
     SELECT +:change, media_id, frame, ${contents}, EXISTS (SELECT 1 FROM deleted_frame d
       WHERE d.media_id = frame.media_id AND d.frame = frame.frame)
     FROM frame WHERE media_id = +:media AND frame IN (SELECT value FROM json_each(+:frames))`,
  );
  const ofChange = database.query(
    'SELECT id, media_id, frame, deleted FROM replaced_frame WHERE change_id = +? ORDER BY id',
  );
  const has = database.query('SELECT EXISTS (SELECT 1 FROM replaced_frame WHERE change_id = +?)').pluck();
  const restore = database.query(
    `UPDATE frame SET (${contents}) = (SELECT ${contents} FROM replaced_frame WHERE id = +:id)
     WHERE media_id = +:media AND frame = +:frame`,
  );
  const forget = database.query('DELETE FROM replaced_frame WHERE id = +?');
  const forgetUnused = database.query(
    'DELETE FROM replaced_frame WHERE media_id = +? AND change_id IS NULL AND id <= +?',
  );
  const bury = database.query(
    `UPDATE frame SET file = :file, problem = :problem, related = NULL, identity = NULL, width = max(width, 1),
       height = max(height, 1) WHERE media_id = +:media AND frame = +:frame`,
  );
  const markDeleted = database.query('INSERT OR IGNORE INTO deleted_frame (media_id, frame) VALUES (?, ?)');
  const unmark = database.query('DELETE FROM deleted_frame WHERE media_id = +? AND frame = +?');
  const touch = database.query('UPDATE media SET created_date = ? WHERE id = +?');
  const unusedMedia = database
    .query<[], number>('SELECT DISTINCT media_id FROM replaced_frame WHERE change_id IS NULL')
    .pluck();
  const taskOf = database.query<[number], number>('SELECT id FROM task WHERE media_id = +?').pluck();
  const lastUnused = database
    .query<[number], number>('SELECT max(id) FROM replaced_frame WHERE media_id = +? AND change_id IS NULL')
    .pluck();
  const savedFiles = (condition: string) =>
    database.query<[number], Files>(
      `SELECT ifnull(r.file, frame.name) AS file, r.related FROM replaced_frame r
       JOIN frame ON frame.media_id = r.media_id AND frame.frame = r.frame
       WHERE r.media_id = +? AND r.change_id ${condition}`,
    );
  const unusedFiles = savedFiles('IS NULL');
  const undoableFiles = savedFiles('IS NOT NULL');
  const usedFiles = database.query<[number], Files>(
    'SELECT ifnull(file, name) AS file, related FROM frame WHERE media_id = +?',
  );

  return {
    /** Saves the present contents of frames. Without a change, their files can be deleted when no frame has them. */
    save: (change: number | null, media: number, frames: readonly number[]) =>
      void save.run({ change, media, frames: JSON.stringify(frames) }),
    has: (change: number): boolean => has.get(change) === 1,
    /** Replaces the images of frames by stand-ins. Save the contents before. */
    bury(media: number, tombstones: readonly Tombstone[], date: string): void {
      for (const { frame, file, problem } of tombstones) {
        bury.run({ media, frame, file, problem });
        markDeleted.run(media, frame);
      }
      // Clients download chunks again after this date.
      touch.run(date, media);
    },
    /** Exchanges the present contents of frames with those that a change saved. */
    swap(change: number, next: number | null, date: string): void {
      const saved = ofChange.all(change) as SavedFrame[];
      const media = saved[0]?.media_id;
      if (media === undefined) return;
      save.run({ change: next, media, frames: JSON.stringify(saved.map(({ frame }) => frame)) });
      for (const { id, frame, deleted } of saved) {
        restore.run({ id, media, frame });
        if (deleted === 1) markDeleted.run(media, frame);
        else unmark.run(media, frame);
        forget.run(id);
      }
      touch.run(date, media);
    },
    /** Media with saved contents that cannot be undone, with their files that nothing uses. */
    unused: () =>
      unusedMedia.all().map((media) => {
        const used = new Set(filesOf([...usedFiles.all(media), ...undoableFiles.all(media)]));
        const files = filesOf(unusedFiles.all(media)).filter((file) => !used.has(file));
        return { media, task: taskOf.get(media), last: lastUnused.get(media) ?? 0, files: [...new Set(files)] };
      }),
    forgetUnused: (media: number, last: number) => void forgetUnused.run(media, last),
  };
}
