import { createBulkInsert } from '../../db/bulk-insert.ts';
import { portionsOf, type Portions } from '../../platform/portions.ts';
import type { Store } from '../../db/store.ts';
import { createMediaGrowth } from './media-growth.ts';
import { createMediaRemoval } from './media-removal.ts';
import { createHoneypotRows } from './honeypot-rows.ts';
import { type FrameRow, type MediaRow, relatedColumn } from './media-rows.ts';

export { awaitsImages, type FrameRow, frameStep, isRemoved, isUnread, type MediaRow } from './media-rows.ts';

/** Content of a frame's file: an image with its size, or a problem. */
export type ReadFrame = Pick<FrameRow, 'frame' | 'width' | 'height'> & {
  readonly identity: string | null;
  readonly problem: string | null;
};

/** A frame as lists describe it. The other columns are most of the data of a task with many images. */
export type ListedFrame = Omit<FrameRow, 'file' | 'identity'>;

interface StoredFrame extends Omit<FrameRow, 'related'> {
  readonly related: string | null;
}

export type MediaRepository = ReturnType<typeof createMediaRepository>;

/** Changes the row: a task may have 100,000 frames, and a copy of each is most of the memory of an answer. */
const readFrame = <Row extends Pick<StoredFrame, 'related'>>(row: Row) =>
  Object.assign(row as Omit<Row, 'related'>, {
    related: row.related === null ? [] : (JSON.parse(row.related) as string[]),
  });

const framesPerStatement = 50;
/** Some milliseconds of the write lock. */
const framesPerTransaction = 1000;

export function createMediaRepository(database: Store) {
  const insert = database.query(
    `INSERT INTO media (kind, size, chunk_size, image_quality, start_frame, stop_frame, frame_filter, sorting_method,
       storage, video, zip_chunks, created_date, unread, honeypots_per_job, cloud_storage_id)
     VALUES (@kind, @size, @chunk_size, @image_quality, @start_frame, @stop_frame, @frame_filter, @sorting_method,
       @storage, @video, @zip_chunks, @created_date, @unread, @honeypots_per_job, @cloud_storage_id)`,
  );
  const insertRows = createBulkInsert(
    database,
    'frame (media_id, frame, name, file, width, height, related, identity, problem, real_frame)',
    10,
  );
  const one = database.query('SELECT * FROM media WHERE id = +?');
  const columns = 'frame, name, file, width, height, related, identity, problem, real_frame';
  const frames = database.query(
    `SELECT ${columns} FROM frame WHERE media_id = +? AND frame BETWEEN +? AND +? ORDER BY frame`,
  );
  const frame = database.query(`SELECT ${columns} FROM frame WHERE media_id = +? AND frame = +?`);
  const largest = database.query('SELECT max(width) AS width, max(height) AS height FROM frame WHERE media_id = +?');
  const deleted = database.query(
    'SELECT frame FROM deleted_frame WHERE media_id = +? AND frame BETWEEN +? AND +? ORDER BY frame',
  );
  // A file that is not an image stays excluded, whatever set of deleted frames a client sends.
  const undelete = database.query(
    `DELETE FROM deleted_frame WHERE media_id = +@id AND frame = +@frame AND NOT EXISTS
       (SELECT 1 FROM frame WHERE media_id = +@id AND frame = +@frame AND problem IS NOT NULL)`,
  );
  const markDeleted = database.query('INSERT OR IGNORE INTO deleted_frame (media_id, frame) VALUES (?, ?)');
  const removal = createMediaRemoval(database);
  const deletedFrames = (id: number, first: number, last: number): number[] =>
    (deleted.all(id, first, last) as { frame: number }[]).map((row) => row.frame);
  const setDeleted = (id: number, frame: number, isDeleted: boolean): void =>
    void (isDeleted ? markDeleted.run(id, frame) : undelete.run({ id, frame }));
  const unread = database.query('SELECT frame FROM frame WHERE media_id = +? AND width = 0 AND problem IS NULL');
  const problems = database.query(
    'SELECT frame, name, problem FROM frame WHERE media_id = +? AND problem IS NOT NULL ORDER BY frame',
  );
  // A frame that another reader has stored stays.
  const readFrameFile = database.query(
    `UPDATE frame SET width = @width, height = @height, identity = @identity, problem = @problem
     WHERE media_id = +@id AND frame = +@frame AND width = 0`,
  );
  const setStorage = database.query('UPDATE media SET cloud_storage_id = ? WHERE id = +?');
  const endReading = database.query('UPDATE media SET unread = 0 WHERE id = +?');
  const unreadOfProject = database.query(
    `SELECT media.id FROM media JOIN task ON task.media_id = media.id WHERE task.project_id = +? AND media.unread = 1`,
  );
  const insertMedia = (row: Omit<MediaRow, 'id'>): number => Number(insert.run(row).lastInsertRowid);

  function insertFrames(id: number, rows: Iterable<FrameRow>): void {
    const valuesOf = (row: FrameRow) => {
      const { frame, name, file, width, height, identity = null, problem = null, real_frame: real = null } = row;
      return [id, frame, name, file, width, height, relatedColumn(row), identity, problem, real];
    };
    let portion: FrameRow[] = [];
    const put = (): void => {
      insertRows(portion, valuesOf);
      for (const { frame, problem } of portion) if (problem != null) markDeleted.run(id, frame);
      portion = [];
    };
    for (const row of rows) if (portion.push(row) === framesPerStatement) put();
    put();
  }

  return {
    /** Each portion is a transaction. No task shows the medium yet, so that `discardUnused` deletes it after a crash. */
    *insertInPortions(
      media: Omit<MediaRow, 'id'>,
      rows: readonly FrameRow[],
      deletedOnes: ReadonlySet<number> = new Set(),
    ): Portions<number> {
      const id = database.write(() => insertMedia(media));
      let isEnded = false;
      try {
        for (const portion of portionsOf(rows, framesPerTransaction)) {
          const write = (): void => {
            insertFrames(id, portion);
            for (const { frame: number } of portion) if (deletedOnes.has(number)) markDeleted.run(id, number);
          };
          database.syncLater(() => database.write(write));
          yield;
        }
        isEnded = true;
        return id;
      } finally {
        if (!isEnded) removal.discard(id);
      }
    },
    get: (id: number) => one.get(id) as MediaRow | undefined,
    /** Frames first..last, both included. */
    frames: (id: number, first: number, last: number): FrameRow[] =>
      (frames.all(id, first, last) as StoredFrame[]).map((row): FrameRow => readFrame(row)),
    listedFrames: createFrameList(database),
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
    unreadFrames: (id: number) => (unread.all(id) as { frame: number }[]).map(({ frame }) => frame),
    /** Frames whose files are not images. */
    problems: (id: number) => problems.all(id) as { frame: number; name: string; problem: string }[],
    /** Stores the content of files. A frame that is not an image is excluded like a deleted one. */
    storeRead(id: number, rows: readonly ReadFrame[]): void {
      database.write(() => {
        for (const row of rows) {
          const before = frame.get(id, row.frame) as StoredFrame | undefined;
          if (readFrameFile.run({ id, ...row }).changes === 0) continue;
          if (row.problem !== null) setDeleted(id, row.frame, true);
          else if (before?.problem) setDeleted(id, row.frame, false);
        }
      });
    },
    /** Moves the images to another bucket, which must have the same objects. */
    setCloudStorage: (id: number, storageId: number) => void setStorage.run(storageId, id),
    endReading: (id: number) => void endReading.run(id),
    unreadOfProject: (projectId: number) => (unreadOfProject.all(projectId) as { id: number }[]).map(({ id }) => id),
    ...removal,
    ...createMediaGrowth(database, { insertFrames, setDeleted }),
    ...createHoneypotRows(database),
  };
}

function createFrameList(database: Store) {
  const listed = database.query<[number, number, number], Omit<StoredFrame, 'file' | 'identity'>>(
    `SELECT frame, name, width, height, related, problem, real_frame FROM frame
     WHERE media_id = +? AND frame BETWEEN +? AND +? ORDER BY frame`,
  );
  return (id: number, first: number, last: number): ListedFrame[] =>
    listed.all(id, first, last).map((row) => readFrame(row));
}
