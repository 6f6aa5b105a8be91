import type { Store } from '../../db/store.ts';

export interface MediaRow {
  readonly id: number;
  readonly kind: 'images' | 'video';
  readonly size: number;
  readonly chunk_size: number;
  readonly image_quality: number;
  /** Compressed chunks of a video are ZIPs of images (1), or videos. */
  readonly zip_chunks: number;
  readonly start_frame: number;
  readonly stop_frame: number;
  readonly frame_filter: string;
  readonly sorting_method: string;
  readonly storage: 'local' | 'share';
  readonly video: string | null;
  readonly created_date: string;
}

export interface FrameRow {
  /** Task-relative, 0-based. */
  readonly frame: number;
  readonly name: string;
  /** Absolute path of media used in place. */
  readonly file: string | null;
  /** Identifies an image used in place: see `image-identity.ts`. */
  readonly identity?: string | null;
  readonly width: number;
  readonly height: number;
  /** Related (context) images, as relative names. */
  readonly related: readonly string[];
}

interface StoredFrame extends Omit<FrameRow, 'related'> {
  readonly related: string | null;
}

export type MediaRepository = ReturnType<typeof createMediaRepository>;

export function frameStep(filter: string): number {
  return Number(/^step=(\d+)$/.exec(filter)?.[1] ?? 1);
}

const readFrame = (row: StoredFrame): FrameRow => ({
  ...row,
  related: row.related === null ? [] : (JSON.parse(row.related) as string[]),
});

export function createMediaRepository(database: Store) {
  const insert = database.query(
    `INSERT INTO media (kind, size, chunk_size, image_quality, start_frame, stop_frame, frame_filter, sorting_method,
       storage, video, zip_chunks, created_date)
     VALUES (@kind, @size, @chunk_size, @image_quality, @start_frame, @stop_frame, @frame_filter, @sorting_method,
       @storage, @video, @zip_chunks, @created_date)`,
  );
  const insertFrame = database.query(
    'INSERT INTO frame (media_id, frame, name, file, width, height, related, identity) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const one = database.query('SELECT * FROM media WHERE id = +?');
  const columns = 'frame, name, file, width, height, related, identity';
  const frames = database.query(
    `SELECT ${columns} FROM frame WHERE media_id = +? AND frame BETWEEN +? AND +? ORDER BY frame`,
  );
  const frame = database.query(`SELECT ${columns} FROM frame WHERE media_id = +? AND frame = +?`);
  const largest = database.query('SELECT max(width) AS width, max(height) AS height FROM frame WHERE media_id = +?');
  const deleted = database.query(
    'SELECT frame FROM deleted_frame WHERE media_id = +? AND frame BETWEEN +? AND +? ORDER BY frame',
  );
  const undelete = database.query('DELETE FROM deleted_frame WHERE media_id = +? AND frame = +?');
  const markDeleted = database.query('INSERT OR IGNORE INTO deleted_frame (media_id, frame) VALUES (?, ?)');
  const remove = database.query('DELETE FROM media WHERE id = +?');
  const deletedFrames = (id: number, first: number, last: number): number[] =>
    (deleted.all(id, first, last) as { frame: number }[]).map((row) => row.frame);
  const setDeleted = (id: number, frame: number, isDeleted: boolean): void =>
    void (isDeleted ? markDeleted : undelete).run(id, frame);

  return {
    insert(media: Omit<MediaRow, 'id'>, rows: Iterable<FrameRow>): number {
      const id = Number(insert.run(media).lastInsertRowid);
      for (const row of rows) {
        const related = row.related.length === 0 ? null : JSON.stringify(row.related);
        insertFrame.run(id, row.frame, row.name, row.file, row.width, row.height, related, row.identity ?? null);
      }
      return id;
    },
    get: (id: number) => one.get(id) as MediaRow | undefined,
    /** Frames first..last, both included. */
    frames: (id: number, first: number, last: number): FrameRow[] =>
      (frames.all(id, first, last) as StoredFrame[]).map(readFrame),
    frame(id: number, number: number): FrameRow | undefined {
      const row = frame.get(id, number) as StoredFrame | undefined;
      return row && readFrame(row);
    },
    largestFrame: (id: number) => largest.get(id) as { width: number; height: number },
    deletedFrames,
    setDeleted,
    /** Writes only the difference. */
    replaceDeletedFrames(id: number, first: number, last: number, numbers: readonly number[]): void {
      const [before, after] = [new Set(deletedFrames(id, first, last)), new Set(numbers)];
      for (const number of before) if (!after.has(number)) setDeleted(id, number, false);
      for (const number of after) if (!before.has(number)) setDeleted(id, number, true);
    },
    remove: (id: number) => void remove.run(id),
  };
}
