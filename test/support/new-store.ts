import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Store, type StoreOptions } from '../../main/db/store.ts';
import { migrate } from '../../main/db/store/migrate.ts';
import { temporaryFolder } from './temporary-folder.ts';

let bytes: Buffer | null = null;

/** The file of an empty store. The migrations run once, because a worker creates hundreds of stores. */
function newStoreBytes(): Buffer {
  if (bytes) return bytes;
  const folder = mkdtempSync(join(tmpdir(), 'limner-store-'));
  try {
    const file = join(folder, 'limner.sqlite');
    const database = new Store(file);
    migrate(database);
    database.close();
    return (bytes = readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A database without tables in a temporary folder, deleted at the end of the test. */
export function temporaryDatabase(options: StoreOptions = {}): Store {
  const database = new Store(join(temporaryFolder(), 'limner.sqlite'), options);
  onTestFinished(() => void database.close());
  return database;
}

/** An empty, migrated store in a temporary folder, deleted at the end of the test. */
export function temporaryStore(): Store {
  const database = openNewStore(join(temporaryFolder(), 'limner.sqlite'));
  onTestFinished(() => void database.close());
  return database;
}

/** Creates an empty, migrated store and opens it. */
export function openNewStore(file: string, options: StoreOptions = {}): Store {
  writeFileSync(file, newStoreBytes(), { mode: 0o600 });
  return new Store(file, options);
}
