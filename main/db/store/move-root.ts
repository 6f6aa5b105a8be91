import { sep } from 'node:path';
import { openDatabase } from '../open.ts';

/**
 * Requests name the files that they were given and that they made by their whole paths. In a store that came from
 * another data directory they name those of this one from now on.
 */
export function moveRoot(file: string, from: string, to: string): void {
  const before = from.endsWith(sep) ? from : `${from}${sep}`;
  const after = to.endsWith(sep) ? to : `${to}${sep}`;
  if (before === after) return;
  // Only where a value begins with it, as a whole path does.
  const opening = (path: string): string => JSON.stringify(path).slice(0, -1);
  const database = openDatabase(file);
  try {
    database
      .prepare('UPDATE request SET result_file = ? || substr(result_file, ?) WHERE substr(result_file, 1, ?) = ?')
      .run(after, before.length + 1, before.length, before);
    database.prepare('UPDATE request SET parameters = replace(parameters, ?, ?)').run(opening(before), opening(after));
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}
