import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DataDirectory } from '../../platform/paths.ts';
import { listCopies } from './copies.ts';
import { applicationId, mediaFolderIds, readStoreHeader, sizeOf, storeFile } from './store-files.ts';
import { StoreRefused, type StoreProblem } from './store-refused.ts';
import { listFolder } from '../../platform/list-folder.ts';

const unchanged = 'Limner did not start, and nothing was changed.';

export function refuseStore(paths: DataDirectory, problem: StoreProblem, what: string, cause?: unknown): StoreRefused {
  const place = { dataDirectory: paths.root, copies: listCopies(paths) };
  return new StoreRefused(problem, `${what} ${unchanged}`, place, cause);
}

/**
 * Inspects the store before it is opened, because opening would change it. `new`: there is none, and there never was
 * one.
 * @throws StoreRefused for a store that is missing, empty or not Limner's
 */
export function inspectStore(paths: DataDirectory): 'new' | 'present' {
  const file = storeFile(paths);
  if (sizeOf(file) === 0) {
    requireNoTraces(paths, [basename(file)]);
    return 'new';
  }
  const header = readStoreHeader(file);
  if (header === null) {
    throw refuseStore(
      paths,
      'damaged',
      `The store ${file} does not start like a database: it is damaged, or another program wrote it.`,
    );
  }
  // A store created just before a crash may have its tables only in the log: `requireTables` checks again.
  const isOwn = header.applicationId === applicationId || (header.applicationId === 0 && !header.hasTables);
  if (!isOwn) throw refuseStore(paths, 'foreign', `${file} is a database of another program.`);
  return 'present';
}

/**
 * Checks again, including the log.
 * @throws StoreRefused if an opened store is empty although one was in use here
 */
export function requireTables(paths: DataDirectory, userVersion: number): void {
  const name = basename(storeFile(paths));
  // A store created just before a crash has a log and nothing else.
  if (userVersion === 0) requireNoTraces(paths, [name, `${name}-wal`, `${name}-shm`]);
}

function requireNoTraces(paths: DataDirectory, own: readonly string[]): void {
  const traces = tracesOfStore(paths, own);
  if (traces.length === 0) return;
  const file = storeFile(paths);
  const problem = existsSync(file) ? 'empty' : 'missing';
  throw refuseStore(
    paths,
    problem,
    `The store ${file} is ${problem}, but the data directory holds ${inWords(traces)}.`,
  );
}

function inWords(things: readonly string[]): string {
  return things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`;
}

/** Evidence that there was a store, in words; empty for a new data directory. */
function tracesOfStore(paths: DataDirectory, own: readonly string[]): string[] {
  const tasks = mediaFolderIds(paths).filter((id) => listFolder(join(paths.data, String(id))).length > 0).length;
  const besides = listFolder(paths.db).filter((name) => name !== 'copies' && !own.includes(name));
  return [
    ...(tasks === 0 ? [] : [`the images of ${tasks} ${tasks === 1 ? 'task' : 'tasks'}`]),
    ...(listFolder(join(paths.data, 'assets')).length === 0 ? [] : ['images of guides']),
    ...(listFolder(paths.keys).length === 0 ? [] : ['keys']),
    ...(listCopies(paths).length === 0 ? [] : ['copies of the store']),
    ...(besides.some((name) => sizeOf(join(paths.db, name)) > 0) ? ['files that belong to a store'] : []),
  ];
}
