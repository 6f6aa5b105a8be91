import { createWriteStream } from 'node:fs';
import { mkdir, stat, statfs, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { moveRoot } from '../db/store/move-root.ts';
import { newestSchema, oldestSchema } from '../db/store/migrate.ts';
import { findDamage } from '../db/store/store-check.ts';
import { applicationId, readStoreHeader } from '../db/store/store-files.ts';
import { createDurableFiles } from '../platform/durable-files.ts';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { stagedPart, swapParts, unstage } from '../platform/swap-folders.ts';
import { homeOf, freeMomentName, homesOf } from '../platform/volumes.ts';
import { createWatchedStream } from '../platform/watched-stream.ts';
import type { JobRun } from '../platform/worker-job.ts';
import { backupParts, databaseEntry, type BackupHead } from './backup-layout.ts';
import { readBackup, refusal, type ReadEntry } from './read-backup.ts';

export interface StageJob {
  readonly root: string;
  readonly file: string;
  readonly passphrase: string | null;
  readonly version: string;
}

export interface StagedBackup {
  readonly created: string;
  readonly entries: number;
  readonly bytes: number;
}

/**
 * Extracts and verifies a backup next to the current data, and syncs it to disk. Changes nothing else; `enterBackup`
 * installs it.
 */
export async function stageBackup(
  job: StageJob,
  run: Pick<JobRun, 'progress' | 'checkCancelled'>,
): Promise<StagedBackup> {
  const { root, file, passphrase, version } = job;
  await requireFile(file);
  await unstage(root);
  try {
    for (const part of backupParts) await mkdir(stagedPart(root, part), { recursive: true, mode: 0o700 });
    const store = join(stagedPart(root, 'db'), 'limner.sqlite');
    const folders = new Set<string>();
    let databaseBytes = 0;
    const { head } = await readBackup(
      {
        file,
        passphrase,
        onProgress(share) {
          run.checkCancelled();
          run.progress(share * 0.9, 'Reading the backup');
        },
        onHead: async (found) => {
          requireVersion(found, version);
          await requireRoom(root, found);
          ({ databaseBytes } = found);
        },
      },
      (entry) => lay(root, folders, entry, { file, databaseBytes }),
    );
    requireStore(store, head, file);
    moveRoot(store, head.root, root);
    run.progress(0.95, 'Writing to disk');
    const files = createDurableFiles();
    for (const part of backupParts) await files.writtenBelow(stagedPart(root, part));
    await files.sync();
    run.checkCancelled();
    const more = head.references
      ? { files: head.references.files - 1, bytes: head.references.bytes }
      : { files: 0, bytes: 0 };
    return { created: head.created, entries: head.entries + more.files, bytes: head.bytes + more.bytes };
  } catch (error) {
    await unstage(root);
    if (!isStorageFull(error)) throw error;
    throw new AppError(
      'storage-full',
      'The disk that contains the data directory is full. The backup was not restored, and nothing was changed. Free ' +
        'some space and try again.',
      undefined,
      { cause: error },
    );
  }
}

/**
 * Installs a staged backup completely or not at all. The data directory must not be in use. Returns the folder with the
 * replaced data.
 */
export async function enterBackup(root: string): Promise<string> {
  const aside = `set-aside/${freeMomentName(join(root, 'set-aside'))}`;
  await swapParts(root, backupParts, aside);
  return homesOf(root)
    .map((home) => join(home, aside))
    .join(' and ');
}

export async function requireFile(file: string): Promise<void> {
  const facts = await stat(file).catch(() => null);
  if (facts?.isFile()) return;
  throw new AppError('invalid', `The file ${file} does not exist or is not readable. Nothing was changed.`);
}

export function requireVersion({ version, schema }: Pick<BackupHead, 'version' | 'schema'>, own: string): void {
  if (version === own && schema >= oldestSchema && schema <= newestSchema) return;
  if (version === own && schema < oldestSchema) {
    throw new AppError(
      'conflict',
      `This backup has a database of schema ${schema}, from before the first release; this Limner reads schemas from ` +
        `${oldestSchema} on. Restore it with the build that created it, start the last build with schema ` +
        `${oldestSchema} there once, and back up again. Nothing was changed.`,
    );
  }
  if (version === own) {
    throw new AppError(
      'conflict',
      `This backup has a database of schema ${schema}; this build of Limner ${own} reads schemas up to ${newestSchema}. ` +
        `Use a newer build of Limner ${own}, with schema ${schema} or higher. Nothing was changed.`,
    );
  }
  throw new AppError(
    'conflict',
    `This backup was created by Limner ${version} (schema ${schema}); this is Limner ${own} (schema ${newestSchema}). A ` +
      'restore needs exactly the version that created the backup, because the layout of the database changes between ' +
      `versions. Install Limner ${version}, restore there, and upgrade afterwards: the data are migrated then. Nothing ` +
      'was changed.',
  );
}

async function requireRoom(root: string, { bytes: own, databaseBytes, references }: BackupHead): Promise<void> {
  const bytes = own + (references?.bytes ?? 0);
  const media = homeOf(root, 'data');
  const store = homeOf(root, 'db');
  const isOneDisk = (await stat(media)).dev === (await stat(store)).dev;
  const needs = isOneDisk
    ? [{ folder: media, neededBytes: bytes + databaseBytes }]
    : [
        { folder: media, neededBytes: bytes },
        { folder: store, neededBytes: databaseBytes },
      ];
  for (const { folder, neededBytes } of needs) {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= neededBytes) continue;
    const megabytes = (count: number): string => `${Math.ceil(count / 1e6)} MB`;
    throw new AppError(
      'storage-full',
      `The restore needs ${megabytes(neededBytes)} in addition to the current data, but ${megabytes(bavail * bsize)} are free on ` +
        `the disk of ${folder}. Nothing was changed. Free some space and try again.`,
    );
  }
}

interface StorePlace {
  readonly file: string;
  readonly databaseBytes: number;
}

async function lay(root: string, folders: Set<string>, entry: ReadEntry, store: StorePlace): Promise<void> {
  const isStore = entry.name === databaseEntry;
  const [part = '', ...rest] = (isStore ? 'db/limner.sqlite' : entry.name).split('/');
  const target = join(stagedPart(root, part), ...rest);
  const folder = dirname(target);
  if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
  folders.add(folder);
  const out = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  const body = Readable.from(entry.body);
  if (isStore) await unpack(body, out, store.databaseBytes, store.file);
  else await pipeline(body, out);
  await utimes(target, entry.changed, entry.changed);
}

async function unpack(body: Readable, out: NodeJS.WritableStream, databaseBytes: number, file: string): Promise<void> {
  let bytes = 0;
  const limit = createWatchedStream((chunk) => {
    bytes += chunk.length;
    if (bytes > databaseBytes) throw refusal(basename(file), 'its database is larger than its head states');
  });
  try {
    await pipeline(body, createGunzip(), limit, out);
  } catch (error) {
    if (error instanceof AppError || isStorageFull(error)) throw error;
    throw refusal(basename(file), 'its database cannot be decompressed: it is damaged or truncated', error);
  }
}

function requireStore(store: string, head: BackupHead, path: string): void {
  const file = basename(path);
  const header = readStoreHeader(store);
  if (header?.applicationId !== applicationId || header.userVersion !== head.schema) {
    throw refusal(file, 'its database is not one of Limner, or has another version than its head states');
  }
  const [damage] = findDamage({ file: store, depth: 'quick' });
  if (damage !== undefined) throw refusal(file, `its database is damaged (${damage})`);
}
