import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyStoreTo } from '../db/store/copies.ts';
import { inspectStore } from '../db/store/inspect-store.ts';
import { storeFile } from '../db/store/store-files.ts';
import { Store } from '../db/store.ts';
import { createDurableFiles } from '../platform/durable-files.ts';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { dataDirectoryPaths } from '../platform/paths.ts';
import { homeOf, homesOf } from '../platform/volumes.ts';
import type { JobRun } from '../platform/worker-job.ts';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { backupParts, belongsToBackup } from './backup-layout.ts';
import { identityOf, type FileIdentity } from './media-index.ts';

export interface SnapshotJob {
  readonly root: string;
  /** True if writers continue afterwards. Files are then hard-linked, so that deletions do not affect the snapshot. */
  readonly keepsFiles: boolean;
}

/** Temporary folder of a backup that is being written. */
const snapshotFolder = (root: string): string => join(root, 'snapshot');
export const snapshotStore = (root: string): string => join(snapshotFolder(root), 'limner.sqlite');
/** On the same disk as the part, because hard links cannot cross disks. */
export const snapshotPart = (root: string, part: string): string =>
  join(snapshotFolder(homeOf(root, part)), 'files', part);

export async function removeSnapshot(root: string): Promise<void> {
  for (const home of homesOf(root)) await rm(snapshotFolder(home), { recursive: true, force: true });
}

/**
 * Snapshot of the data directory. Files must not be written during the call; the database is consistent in any case.
 * Not synced, because a crash discards it.
 */
export async function takeSnapshot(
  { root, keepsFiles }: SnapshotJob,
  run: Pick<JobRun, 'checkCancelled'>,
): Promise<void> {
  const paths = dataDirectoryPaths(root);
  if (inspectStore(paths) === 'new') {
    throw new AppError('conflict', `There is no data directory in ${root} yet, so there is nothing to back up.`);
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
      'The disk that contains the data directory has too little space for a copy of the database, which a backup needs. ' +
        'No backup was created, and nothing was changed. Free some space and try again.',
      undefined,
      { cause: error },
    );
  }
}

/** Copies an SQLite file consistently, even during writes: the database, and the events of analytics. */
function copyStore(file: string, target: string): void {
  const database = new Store(file, { readonly: true });
  try {
    copyStoreTo(database, target);
  } finally {
    database.close();
  }
}

/** Identities of media before and after they were linked, by name: a link changes the time of the inode. */
export type LinkedMedia = ReadonlyMap<string, readonly [FileIdentity | null, FileIdentity | null]>;
const linkedMediaFile = (root: string): string => join(snapshotFolder(root), 'linked-media.json');

export function readLinkedMedia(root: string): LinkedMedia {
  return new Map(JSON.parse(readFileSync(linkedMediaFile(root), 'utf8')) as never);
}

async function giveSecondNames(root: string, { checkCancelled }: Pick<JobRun, 'checkCancelled'>): Promise<void> {
  const files = createDurableFiles();
  const linked = new Map<string, readonly [FileIdentity | null, FileIdentity | null]>();
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
    // Keys are copied because they are replaced in place; there are only few.
    const isMedia = name.startsWith('data/');
    const before = isMedia ? identityOf(path) : null;
    await (isMedia ? files.link : files.copy)(path, target).catch((error: unknown) => {
      // File of a deleted task, whose files are removed in the background.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
    if (isMedia) linked.set(name, [before, identityOf(target)]);
  }
  await writeFile(linkedMediaFile(root), JSON.stringify([...linked]), { mode: 0o600 });
}

export interface TreeFile {
  /** Relative to the root, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly changed: Date;
}

/**
 * Files of a data directory that belong to a backup, except the database. Only regular files are included.
 * @param folderOf returns the folder of a part
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

/** Folders of deleted tasks may be removed in the background. */
function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
