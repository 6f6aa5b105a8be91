import type { Store } from '../../db/store.ts';

export interface WatchedFolderRow {
  readonly task_id: number;
  readonly path: string;
  readonly owner_id: number | null;
  readonly origin: string;
  readonly problem: string | null;
}

export interface WatchedFile {
  readonly name: string;
  /** `present`: a frame had the file when the watch began. */
  readonly outcome: 'present' | 'added' | 'ignored';
  readonly stamp: string;
}

export type WatchedFolderRepository = ReturnType<typeof createWatchedFolderRepository>;

export function createWatchedFolderRepository(database: Store) {
  const one = database.query('SELECT * FROM watched_folder WHERE task_id = +?');
  const all = database.query('SELECT * FROM watched_folder ORDER BY task_id');
  const insert = database.query(
    'INSERT INTO watched_folder (task_id, path, owner_id, origin) VALUES (:task_id, :path, :owner_id, :origin)',
  );
  const remove = database.query('DELETE FROM watched_folder WHERE task_id = +?');
  const setProblem = database.query('UPDATE watched_folder SET problem = ? WHERE task_id = +? AND problem IS NOT +?');
  const files = database.query('SELECT name, outcome, stamp FROM watched_file WHERE task_id = +?');
  const note = database.query(
    'INSERT OR REPLACE INTO watched_file (task_id, name, outcome, stamp) VALUES (?, ?, ?, ?)',
  );
  const count = database.query('SELECT count(*) FROM watched_file WHERE task_id = +? AND outcome = +?').pluck();
  const framesIn = database
    .query(
      `SELECT frame.file FROM frame JOIN task ON task.media_id = frame.media_id
       WHERE task.id = +? AND substr(frame.file, 1, +?) = +?`,
    )
    .pluck();

  return {
    get: (taskId: number) => one.get(taskId) as WatchedFolderRow | undefined,
    all: () => all.all() as WatchedFolderRow[],
    set: (row: Omit<WatchedFolderRow, 'problem'>): void =>
      database.write(() => {
        remove.run(row.task_id);
        insert.run(row);
      }),
    remove: (taskId: number): void => void remove.run(taskId),
    setProblem: (taskId: number, problem: string | null): void => void setProblem.run(problem, taskId, problem),
    files: (taskId: number) => new Map((files.all(taskId) as WatchedFile[]).map((file) => [file.name, file])),
    note: (taskId: number, found: readonly WatchedFile[]): void =>
      database.write(() => {
        // The watch may have ended while its folder was read.
        if (one.get(taskId) === undefined) return;
        for (const { name, outcome, stamp } of found) note.run(taskId, name, outcome, stamp);
      }),
    count: (taskId: number, outcome: WatchedFile['outcome']) => Number(count.get(taskId, outcome)),
    /** Files of frames in a folder and below; the folder ends with a separator. */
    framesIn: (taskId: number, folder: string) => new Set(framesIn.all(taskId, folder.length, folder) as string[]),
  };
}
