import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { createWatchedStream } from '../platform/watched-stream.ts';
import {
  backupHeadSchema,
  databaseEntry,
  headEntry,
  isEntryName,
  listEntry,
  listLine,
  referencesEntry,
  type BackupHead,
} from './backup-layout.ts';
import { openObjects, readObject } from './objects.ts';
import { createOpening, sealedHeaderBytes, sealedMagic } from './sealed-stream.ts';

export interface BackupReading {
  readonly file: string;
  readonly passphrase: string | null;
  readonly onProgress?: (share: number) => void;
  /** Called with the head before anything else is read; may throw. */
  readonly onHead?: (head: BackupHead) => Promise<void> | void;
  /** Skips the objects of an incremental backup, because the writer has read them back already. */
  readonly withoutObjects?: boolean;
  /** Final folder of a backup that still has a temporary name. */
  readonly folder?: string;
  readonly onReference?: (reference: Reference) => void;
}

export interface ReadEntry {
  readonly name: string;
  readonly sizeBytes: number;
  readonly changed: Date;
  /** Must be read to its end. */
  readonly body: AsyncIterable<Buffer>;
}

export interface Reference {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly changed: Date;
  readonly name: string;
}

type Archive = ReturnType<typeof extract>;
type Entry = Archive extends AsyncIterable<infer One> ? One : never;

export async function isSealed(file: string): Promise<boolean> {
  return (await beginningOf(file, sealedMagic.length)).equals(sealedMagic);
}

/**
 * Reads a backup once from start to end. Results of `take` are valid only after this resolves: then all entries are
 * complete, unchanged, and there are no others.
 * @throws AppError with a message if the file is not a backup, is damaged, or has another passphrase
 */
export async function readBackup(
  reading: BackupReading,
  take: (entry: ReadEntry) => Promise<void>,
): Promise<{ readonly head: BackupHead; readonly listSha256: string }> {
  const name = basename(reading.file);
  const archive = extract();
  const pumping = pump(reading, archive);
  // Forwards the error, because the loop below would wait forever for the archive.
  pumping.catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    const result = await readEntries(archive, name, reading, take);
    await pumping;
    if (result.head.references) await readReferences(reading, name, result, take);
    return { head: result.head, listSha256: result.listSha256 };
  } catch (error) {
    archive.destroy();
    const first = await pumping.then(
      () => null,
      (cause: unknown) => cause,
    );
    const known = [error, first].find((one) => one instanceof AppError || isStorageFull(one));
    if (known !== undefined) throw known;
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal(name, `it is not a backup of Limner, or it is damaged or truncated (${reason})`, error);
  }
}

/** Head of an unencrypted backup; null for other files. */
export async function readHead(file: string): Promise<BackupHead | null> {
  class Enough extends Error {}
  let found: BackupHead | null = null;
  const onHead = (head: BackupHead): never => {
    found = head;
    throw new Enough();
  };
  await readBackup({ file, passphrase: null, onHead }, () => Promise.resolve()).catch(() => undefined);
  return found;
}

async function pump({ file, passphrase, onProgress }: BackupReading, archive: NodeJS.WritableStream): Promise<void> {
  const sealed = await isSealed(file);
  if (sealed && passphrase === null) {
    throw new AppError('forbidden', `${basename(file)} is encrypted. Enter its passphrase.`);
  }
  const { size } = await stat(file);
  let seenBytes = 0;
  const count = createWatchedStream((chunk) => {
    seenBytes += chunk.length;
    onProgress?.(size === 0 ? 1 : Math.min(1, seenBytes / size));
  });
  const opening = sealed
    ? await createOpening(passphrase ?? '', await beginningOf(file, sealedHeaderBytes))
    : new PassThrough();
  const input = createReadStream(file, { start: sealed ? sealedHeaderBytes : 0, highWaterMark: 256 * 1024 });
  await pipeline(input, count, opening, archive);
}

async function readEntries(
  archive: Archive,
  file: string,
  { onHead }: BackupReading,
  take: (entry: ReadEntry) => Promise<void>,
) {
  const own = createHash('sha256');
  const names = new Set<string>();
  let head: BackupHead | null = null;
  let listSha256 = '';
  let references = '';
  let bytes = 0;
  for await (const entry of archive) {
    const { name, size = 0, type, mtime = new Date(0) } = entry.header;
    if (listSha256 !== '') throw refusal(file, 'there is data after its list');
    if (type !== 'file' && type !== 'contiguous-file') throw refusal(file, `its entry "${name}" is not a regular file`);
    if (head === null) {
      head = await headOf(entry, name, size, file);
      await onHead?.(head);
    } else if (name === listEntry) {
      listSha256 = await hashOf(bytesOf(entry));
    } else {
      if (!isEntryName(name) || names.has(name)) throw refusal(file, `its entry "${name}" is not allowed`);
      if (names.size === 0 && name !== databaseEntry) throw refusal(file, 'its database is not the first entry');
      names.add(name);
      bytes += size;
      if (names.size > head.entries || bytes > head.bytes) throw refusal(file, 'it contains more than its head states');
      const hash = createHash('sha256');
      const body = hashing(bytesOf(entry), hash);
      if (name === referencesEntry) references = await textOf(body);
      else await take({ name, sizeBytes: size, changed: mtime, body });
      own.update(listLine(hash.digest('hex'), size, name));
    }
  }
  if (head === null || listSha256 === '') throw refusal(file, 'it is empty or truncated');
  const isWhole = names.size === head.entries && bytes === head.bytes && own.digest('hex') === listSha256;
  if (!isWhole) throw refusal(file, 'its files do not match its list: it is damaged');
  const isIncremental = names.has(referencesEntry);
  if (isIncremental !== (head.references !== undefined)) throw refusal(file, 'its files do not match its head');
  return { head, listSha256, references, names };
}

/** Reads each referenced object and compares it with the list. */
async function readReferences(
  reading: BackupReading,
  file: string,
  found: { readonly head: BackupHead; readonly references: string; readonly names: ReadonlySet<string> },
  take: (entry: ReadEntry) => Promise<void>,
): Promise<void> {
  const said = found.head.references;
  if (said === undefined) return;
  const references = referencesIn(found.references);
  const names = new Set([...found.names, ...(references ?? []).map(({ name }) => name)]);
  const sum = (references ?? []).reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
  const isSound = references?.every(({ name }) => isEntryName(name) && name.startsWith('data/')) ?? false;
  const isAsSaid = references?.length === said.files && sum === said.bytes;
  if (!isSound || !isAsSaid || names.size !== found.names.size + said.files) {
    throw refusal(file, 'its references do not match its head');
  }
  for (const reference of references ?? []) reading.onReference?.(reference);
  if (reading.withoutObjects === true) return;
  const store = await openObjects(reading.folder ?? dirname(reading.file), said.store, reading.passphrase);
  for (const { sha256, sizeBytes, changed, name } of references ?? []) {
    const hash = createHash('sha256');
    try {
      await take({ name, sizeBytes, changed, body: hashing(readObject(store, sha256), hash) });
    } catch (error) {
      if (isStorageFull(error) || (error instanceof AppError && error.code === 'cancelled')) throw error;
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      throw refusal(file, `"${name}" in ${store.folder} is ${isMissing ? 'missing' : 'damaged'}`, error);
    }
    if (hash.digest('hex') !== sha256) throw refusal(file, `"${name}" in ${store.folder} is damaged`);
  }
}

/** Null if a line is invalid. */
function referencesIn(text: string): Reference[] | null {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const found = lines.map((line): Reference | null => {
    const match = /^([0-9a-f]{64}) (\d{1,15}) (\d{1,15}) (.+)$/.exec(line);
    if (!match) return null;
    const [, sha256 = '', size, time, name = ''] = match;
    return { sha256, sizeBytes: Number(size), changed: new Date(Number(time)), name: name.replaceAll('\\n', '\n') };
  });
  return found.every((one) => one !== null) ? found : null;
}

export const referenceLine = ({ sha256, sizeBytes, changed, name }: Reference): string =>
  `${sha256} ${sizeBytes} ${Math.max(0, changed.getTime())} ${name.replaceAll('\n', '\\n')}\n`;

/** Adds types to the entry stream, which the library leaves open. */
async function* bytesOf(entry: Entry): AsyncGenerator<Buffer> {
  for await (const chunk of entry) yield chunk as Buffer;
}

async function* hashing(entry: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    hash.update(chunk);
    yield chunk;
  }
}

async function hashOf(entry: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of entry) hash.update(chunk);
  return hash.digest('hex');
}

const headLimitBytes = 64 * 1024;

async function headOf(entry: Entry, name: string, size: number, file: string): Promise<BackupHead> {
  if (name !== headEntry || size > headLimitBytes) throw refusal(file, 'it is not a backup of Limner');
  const { data } = backupHeadSchema.safeParse(JSON.parse(await textOf(entry)));
  if (data === undefined) throw refusal(file, 'its first entry is damaged or was written by a newer version of Limner');
  return data;
}

export const refusal = (file: string, reason: string, cause?: unknown): AppError =>
  new AppError('invalid', `Cannot restore ${file}: ${reason}. Nothing was changed.`, undefined, { cause });

async function beginningOf(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
