import { sep } from 'node:path';
import { Store } from '../store.ts';

/**
 * Requests store absolute paths of their input and output files. In a store moved from another data directory, replaces
 * the old root in these paths.
 */
export function moveRoot(file: string, from: string, to: string): void {
  const before = from.endsWith(sep) ? from : `${from}${sep}`;
  const after = to.endsWith(sep) ? to : `${to}${sep}`;
  if (before === after) return;
  // Only at the start of a value, as in an absolute path.
  const opening = (path: string): string => JSON.stringify(path).slice(0, -1);
  const database = new Store(file);
  try {
    database
      .query('UPDATE request SET result_file = ? || substr(result_file, ?) WHERE substr(result_file, 1, ?) = +?')
      .run(after, before.length + 1, before.length, before);
    database.query('UPDATE request SET parameters = replace(parameters, ?, ?)').run(opening(before), opening(after));
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}
