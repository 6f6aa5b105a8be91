import { join } from 'node:path';
import Database from 'better-sqlite3';

/** One row of some 300 bytes, committed to the same disk without any logic. */
export interface StoreAnchor {
  readonly commitMs: () => number;
  readonly close: () => void;
}

export function createStoreAnchor(folder: string): StoreAnchor {
  const database = new Database(join(folder, 'anchor.sqlite'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT');
  const insert = database.prepare('INSERT INTO row (content) VALUES (?)');
  const content = Buffer.alloc(300, 7);
  return {
    commitMs(): number {
      const started = performance.now();
      insert.run(content);
      return performance.now() - started;
    },
    close: () => void database.close(),
  };
}
