import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AppError } from '../../platform/errors.ts';
import { prepareDataDirectory, type DataDirectory } from '../../platform/paths.ts';
import { takeDataDirectory } from '../../platform/take-data-directory.ts';
import { freeMomentName, homeOf } from '../../platform/volumes.ts';
import { describeCopy, listCopies, type StoreCopy } from './copies.ts';
import { moveIntoPlaceSync, syncFolderSync } from '../../platform/durable-files.ts';
import { findDamage } from './store-check.ts';
import { applicationId, readStoreHeader, storeFile } from './store-files.ts';

/**
 * Runs work on a data directory that no Limner uses.
 * @throws AppError `conflict` while Limner runs on it
 */
export async function whileStopped<Result>(
  dataDirectory: string,
  work: (paths: DataDirectory) => Result | Promise<Result>,
): Promise<Result> {
  const paths = prepareDataDirectory(dataDirectory);
  const lock = await takeDataDirectory(paths);
  try {
    return await work(paths);
  } finally {
    lock.release();
  }
}

/** Creates a timestamped folder below `set-aside`, on the disk of the store. */
function newFolder(paths: DataDirectory): string {
  const parent = join(homeOf(paths.root, 'db'), 'set-aside');
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = join(parent, freeMomentName(parent));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function move(from: string, folder: string): void {
  if (existsSync(from)) renameSync(from, join(folder, basename(from)));
}

/**
 * Replaces the store with a copy and moves the store and its log to quarantine. The copy remains. After a crash in
 * between, the store is missing, which the next start detects. The log must move with its store, because SQLite would
 * apply it to the copy.
 * @param name file name of the copy, or `newest`
 */
export function restoreCopy(paths: DataDirectory, name: string): { copy: StoreCopy; folder: string } {
  const copies = listCopies(paths);
  const copy = name === 'newest' ? copies[0] : copies.find((one) => one.name === name);
  if (!copy) throw noSuchCopy(name, copies);
  const isOwn = readStoreHeader(copy.file)?.applicationId === applicationId;
  const [damage] = isOwn ? findDamage({ file: copy.file, depth: 'quick' }) : ['it is not a store of Limner'];
  if (damage !== undefined) {
    throw new AppError(
      'conflict',
      `Cannot restore the copy ${copy.name}: it is damaged (${damage}). Nothing was changed. Choose another.`,
    );
  }
  const file = storeFile(paths);
  const prepared = `${file}.restored`;
  copyFileSync(copy.file, prepared, constants.COPYFILE_FICLONE);
  chmodSync(prepared, 0o600);
  const folder = newFolder(paths);
  const db = join(folder, 'db');
  mkdirSync(db, { mode: 0o700 });
  for (const one of [file, `${file}-wal`, `${file}-shm`, `${file}.closed`]) move(one, db);
  syncFolderSync(paths.db);
  moveIntoPlaceSync(prepared, file);
  return { copy, folder };
}

function noSuchCopy(name: string, copies: readonly StoreCopy[]): AppError {
  const known = copies.map((copy) => `\n  ${copy.name}  ${describeCopy(copy)}`).join('');
  const message = `There is no copy ${name}. ${copies.length === 0 ? 'There are no copies yet.' : `There are:${known}`}`;
  return new AppError('conflict', message);
}

/**
 * Moves all data of the present data directory into a folder that is itself a valid data directory. The store is moved
 * first: after a crash in between, the next start finds it missing, and refuses again.
 * @returns the folder
 */
export function startEmpty(paths: DataDirectory): string {
  const folder = newFolder(paths);
  for (const part of ['db', 'data', 'keys', 'events']) {
    const home = homeOf(paths.root, part);
    const aside = join(home, 'set-aside', basename(folder));
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    move(join(home, part), aside);
    // A volume in another location stays in that location.
    if (home !== paths.root) mkdirSync(join(home, part), { mode: 0o700 });
  }
  syncFolderSync(folder);
  syncFolderSync(paths.root);
  prepareDataDirectory(paths.root);
  return folder;
}
