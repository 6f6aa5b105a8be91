import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { readStoreHeader } from '../db/store/store-files.ts';
import { replaceFile } from '../platform/durable-files.ts';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { homeOf } from '../platform/volumes.ts';
import { createWatchedStream } from '../platform/watched-stream.ts';
import type { JobRun } from '../platform/worker-job.ts';
import {
  backupExtension,
  backupParts,
  databaseEntry,
  headEntry,
  listEntry,
  listLine,
  referencesEntry,
  type BackupHead,
} from './backup-layout.ts';
import { backupFiles, snapshotPart, snapshotStore, type TreeFile } from './snapshot.ts';
import { putMedia } from './put-media.ts';
import { readBackup } from './read-backup.ts';
import { createSealing } from './sealed-stream.ts';

export interface WriteJob {
  /** The data directory, which contains the snapshot. */
  readonly root: string;
  /** `place`: the data directory, if it is not in use; `snapshot`: its snapshot. */
  readonly from: 'place' | 'snapshot';
  readonly version: string;
  /** Absolute. An existing file is replaced at the end, after the new backup was read back. */
  readonly destination: string;
  readonly passphrase: string | null;
  /** Stores media in the objects folder, each content once for all backups of the folder. */
  readonly incremental?: boolean;
}

export interface WrittenBackup {
  readonly file: string;
  readonly sizeBytes: number;
  readonly entries: number;
  readonly created: string;
  /** Bytes written to disk; less than the total if media existed already. */
  readonly newBytes: number;
  /** Media files that an incremental backup read; the others are unchanged since the last one. Null if not incremental. */
  readonly readFiles: number | null;
}

type Run = Pick<JobRun, 'progress' | 'checkCancelled'>;

/** Writing takes about as long as reading back. */
const writingShare = 0.5;

/** Writes the backup to a temporary file, reads it back, compares it, and renames it. */
export async function writeBackup(job: WriteJob, run: Run): Promise<WrittenBackup> {
  const { destination, passphrase } = job;
  requireOutside(job);
  try {
    await removeAbandoned(dirname(destination));
    const prepared = await prepare(job, run);
    const put = job.incremental === true ? await withReferences(job, prepared, run) : null;
    const { head, files } = put ?? prepared;
    await requireRoom(destination, head.bytes);
    await replaceFile(destination, async (temporary) => {
      const sum = await writeTo(temporary, { head, files }, job, {
        checkCancelled: run.checkCancelled,
        progress: (share) => run.progress(share * writingShare, 'Writing'),
      });
      const check = {
        file: temporary,
        passphrase,
        withoutObjects: true,
        onProgress: (share: number) => {
          run.checkCancelled();
          run.progress(writingShare + share * (1 - writingShare), 'Reading it back');
        },
      };
      const { listSha256 } = await readBackup(check, async (entry) => {
        for await (const _ of entry.body);
      });
      if (listSha256 !== sum) throw new AppError('storage-broken', notAsWritten(destination));
    });
    return {
      file: destination,
      sizeBytes: (await stat(destination)).size,
      entries: head.entries + (head.references ? head.references.files - 1 : 0),
      created: head.created,
      newBytes: (await stat(destination)).size + (put?.newBytes ?? 0),
      readFiles: put?.readFiles ?? null,
    };
  } catch (error) {
    throw inWords(destination, error);
  }
}

/** Stores media as objects; the backup contains only their names. */
async function withReferences(
  job: WriteJob,
  { head, files }: { readonly head: BackupHead; readonly files: readonly TreeFile[] },
  run: Run,
): Promise<{ head: BackupHead; files: TreeFile[]; newBytes: number; readFiles: number }> {
  const isMedia = ({ name }: TreeFile): boolean => name.startsWith('data/');
  const media = files.filter(isMedia);
  const onShare = (share: number): void => run.progress(share * writingShare, 'Writing new data');
  const { store, lines, newBytes, readFiles } = await putMedia(job, media, onShare, run);
  const list = `${snapshotStore(job.root)}.references`;
  await writeFile(list, lines.join(''), { mode: 0o600 });
  const named: TreeFile = {
    name: referencesEntry,
    path: list,
    sizeBytes: (await stat(list)).size,
    changed: new Date(),
  };
  const [database, ...others] = files.filter((file) => !isMedia(file));
  const whole = database ? [database, named, ...others] : [];
  const bytes = media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const references = { files: media.length, bytes, store: store.name };
  const sum = whole.reduce((all, { sizeBytes }) => all + sizeBytes, 0);
  const incremental = { ...head, format: 2 as const, entries: whole.length, bytes: sum, references };
  return { files: whole, newBytes, readFiles, head: incremental };
}

/** Inside the data directory it would be part of the next backup, and a restore would move it. */
function requireOutside({ root, destination }: WriteJob): void {
  const isWithin = (folder: string): boolean => destination.startsWith(folder + sep);
  const part = backupParts.find((name) => isWithin(join(root, name)) || isWithin(join(homeOf(root, name), name)));
  if (part === undefined) return;
  const message = `${destination} is in the folder "${part}" of the data directory, which is itself backed up. Choose another place.`;
  throw new AppError('invalid', message);
}

function inWords(destination: string, error: unknown): unknown {
  if (isStorageFull(error)) {
    const message = `The disk is full: ${destination} was not written. An earlier file with this name is kept. Free some space and try again.`;
    return new AppError('storage-full', message, undefined, { cause: error });
  }
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Cannot write the backup ${destination} (${reason}). An earlier file with this name is kept.`;
  return new AppError('unavailable', message, undefined, { cause: error });
}

const notAsWritten = (destination: string): string =>
  `The backup ${destination} was read back and differs from the written data: the disk is not reliable. It was ` +
  'removed, and an earlier file with this name is kept. Choose another disk.';

/** Compresses the database to know its size, and lists all files. */
async function prepare(
  { root, from, version }: WriteJob,
  { checkCancelled }: Run,
): Promise<{ head: BackupHead; files: TreeFile[] }> {
  const store = snapshotStore(root);
  const packed = `${store}.gz`;
  const facts = await stat(store);
  const schema = readStoreHeader(store)?.userVersion ?? 0;
  await pipeline(
    createReadStream(store),
    createWatchedStream(checkCancelled),
    createGzip({ level: constants.Z_BEST_SPEED }),
    createWriteStream(packed, { mode: 0o600 }),
  );
  await rm(store);
  const { size: packedBytes } = await stat(packed);
  const database: TreeFile = { name: databaseEntry, path: packed, sizeBytes: packedBytes, changed: facts.mtime };
  const folderOf = (part: string): string => (from === 'place' ? join(root, part) : snapshotPart(root, part));
  const files = [database, ...backupFiles(folderOf)];
  return {
    files,
    head: {
      kind: 'limner-backup',
      format: 1,
      version,
      schema,
      created: facts.mtime.toISOString(),
      root,
      entries: files.length,
      bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      databaseBytes: facts.size,
    },
  };
}

/** Maximum size that tar usually adds to an entry. */
const entryOverheadBytes = 1024;

async function requireRoom(destination: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(destination));
  const freeBytes = bavail * bsize;
  if (freeBytes >= bytes + entryOverheadBytes) return;
  const megabytes = (count: number): string => `${Math.ceil(count / 1e6)} MB`;
  throw new AppError(
    'storage-full',
    `The backup needs ${megabytes(bytes)}, but only ${megabytes(freeBytes)} are free at ${destination}. ` +
      'Nothing was written. Free some space, or choose another place.',
  );
}

/** Returns the SHA-256 of the list, which covers the complete backup. */
async function writeTo(
  temporary: string,
  content: { readonly head: BackupHead; readonly files: readonly TreeFile[] },
  { passphrase }: WriteJob,
  run: Run,
): Promise<string> {
  const archive = pack();
  const out = createWriteStream(temporary, { flags: 'wx', mode: 0o600 });
  const writing =
    passphrase === null ? pipeline(archive, out) : pipeline(archive, await createSealing(passphrase), out);
  // The code below receives the same error.
  writing.catch(() => undefined);
  try {
    const sum = await fill(archive, content, run);
    archive.finalize();
    await writing;
    return sum;
  } catch (error) {
    archive.destroy();
    // Prefers the output's own error, for example a full disk, because it causes the archive's error.
    throw await writing.then(
      () => error,
      (first: unknown) => (isStorageFull(first) ? first : error),
    );
  }
}

async function fill(
  archive: Pack,
  { head, files }: { readonly head: BackupHead; readonly files: readonly TreeFile[] },
  { progress, checkCancelled }: Run,
): Promise<string> {
  await addText(archive, headEntry, `${JSON.stringify(head, null, 2)}\n`);
  const lines: string[] = [];
  let doneBytes = 0;
  for (const file of files) {
    const sha256 = await addFile(archive, file, checkCancelled);
    lines.push(listLine(sha256, file.sizeBytes, file.name));
    doneBytes += file.sizeBytes;
    progress(head.bytes === 0 ? 1 : doneBytes / head.bytes);
  }
  const list = lines.join('');
  await addText(archive, listEntry, list);
  return createHash('sha256').update(list).digest('hex');
}

const addText = (archive: Pack, name: string, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    archive.entry({ name, mode: 0o600 }, text, (error) => (error ? reject(error) : resolve()));
  });

async function addFile(
  archive: Pack,
  { name, path, sizeBytes, changed }: TreeFile,
  checkCancelled: () => void,
): Promise<string> {
  const hash = createHash('sha256');
  const entry = archive.entry({ name, size: sizeBytes, mtime: changed, mode: 0o600 });
  let readBytes = 0;
  const count = createWatchedStream((chunk) => {
    checkCancelled();
    hash.update(chunk);
    readBytes += chunk.length;
  });
  try {
    await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), count, entry);
  } catch (error) {
    if (readBytes === sizeBytes || error instanceof AppError || isStorageFull(error)) throw error;
    const message = `Cannot read ${path} completely (${(error as Error).message}). No backup was created.`;
    throw new AppError('unavailable', message, undefined, { cause: error });
  }
  return hash.digest('hex');
}

const partName = new RegExp(`\\${backupExtension}\\.[0-9a-f-]{36}\\.part$`);
const abandonedAfterMs = 60 * 60 * 1000;

/** Deletes temporary files of crashed backups; younger ones may belong to another process. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!partName.test(basename(name))) continue;
    const facts = await stat(join(folder, name)).catch(() => null);
    if (facts && Date.now() - facts.mtimeMs > abandonedAfterMs) await rm(join(folder, name), { force: true });
  }
}
