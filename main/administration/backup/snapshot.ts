import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyStoreTo } from '../../db/store/copies.ts';
import { lookAtStore } from '../../db/store/look-at-store.ts';
import { storeFile } from '../../db/store/store-files.ts';
import { openDatabase } from '../../db/open.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';
import { AppError, isStorageFull } from '../../platform/errors.ts';
import { dataDirectoryPaths } from '../../platform/paths.ts';
import { homeOf, homesOf } from '../../platform/volumes.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { lstatSync, readdirSync } from 'node:fs';
import { backupParts, belongsToBackup } from './backup-layout.ts';

export interface SnapshotJob {
  readonly root: string;
  /** Whether somebody goes on writing afterwards: files get second names then, which deleting does not reach. */
  readonly keepsFiles: boolean;
}

/** What one backup is made of lies here until it is written. */
const snapshotFolder = (root: string): string => join(root, 'snapshot');
export const snapshotStore = (root: string): string => join(snapshotFolder(root), 'limner.sqlite');
/** On the disk of the part: a second name is on the same. */
export const snapshotPart = (root: string, part: string): string =>
  join(snapshotFolder(homeOf(root, part)), 'files', part);

export async function removeSnapshot(root: string): Promise<void> {
  for (const home of homesOf(root)) await rm(snapshotFolder(home), { recursive: true, force: true });
}

/**
 * The workbench as it is at this moment. Nothing may write to its files meanwhile; the store is copied as of one moment
 * in any case. It need not reach the disk: after a crash it is thrown away.
 */
export async function takeSnapshot(
  { root, keepsFiles }: SnapshotJob,
  run: Pick<JobRun, 'checkCancelled'>,
): Promise<void> {
  const paths = dataDirectoryPaths(root);
  if (lookAtStore(paths) === 'new') {
    throw new AppError('conflict', `There is no workbench in ${root} yet, so there is nothing to back up.`);
  }
  await removeSnapshot(root);
  try {
    await mkdir(snapshotFolder(root), { recursive: true, mode: 0o700 });
    copyStore(storeFile(paths), snapshotStore(root));
    if (keepsFiles) await giveSecondNames(root, run);
  } catch (error) {
    await removeSnapshot(root);
    if (!isStorageFull(error)) throw error;
    throw new AppError(
      'storage-full',
      'The disk that holds the data directory has too little room for a copy of the store, which a backup begins with. ' +
        'No backup was made, and nothing was changed. Free some space and try again.',
      undefined,
      { cause: error },
    );
  }
}

/** As of one moment, whoever writes to it: the store, and the events of the analytics. */
function copyStore(file: string, target: string): void {
  const database = openDatabase(file, { readonly: true });
  try {
    copyStoreTo(database, target);
  } finally {
    database.close();
  }
}

async function giveSecondNames(root: string, { checkCancelled }: Pick<JobRun, 'checkCancelled'>): Promise<void> {
  const files = createDurableFiles();
  let folder = '';
  for (const { name, path } of backupFiles((part) => join(root, part))) {
    checkCancelled();
    const [part = '', ...rest] = name.split('/');
    const target = join(snapshotPart(root, part), ...rest);
    if (dirname(target) !== folder) await mkdir((folder = dirname(target)), { recursive: true });
    if (/\.sqlite-(wal|shm)$/.test(name)) continue;
    if (name.endsWith('.sqlite')) {
      copyStore(path, target);
      continue;
    }
    // Keys are replaced: these few are copied.
    const keep = name.startsWith('data/') ? files.link : files.copy;
    await keep(path, target).catch((error: unknown) => {
      // Of a task that was deleted before: its files go in the background.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
  }
}

export interface TreeFile {
  /** Relative to the root, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly changed: Date;
}

/**
 * The files of a data directory that a backup holds, all but the store. What is no plain file is not among them.
 * @param folderOf where a part is
 */
export function* backupFiles(folderOf: (part: string) => string): Generator<TreeFile> {
  for (const part of backupParts) if (part !== 'db') yield* filesBelow(folderOf(part), part);
}

function* filesBelow(folder: string, folderName: string): Generator<TreeFile> {
  for (const entry of entriesIn(folder)) {
    const name = `${folderName}/${entry.name}`;
    const path = join(folder, entry.name);
    if (!belongsToBackup(name)) continue;
    if (entry.isDirectory()) yield* filesBelow(path, name);
    else if (entry.isFile()) {
      const facts = lstatSync(path, { throwIfNoEntry: false });
      if (facts) yield { name, path, sizeBytes: facts.size, changed: facts.mtime };
    }
  }
}

/** Folders of deleted tasks go in the background. */
function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
