import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { createDurableFiles, replaceFile, replaceFileSync } from '../platform/durable-files.ts';
import { AppError } from '../platform/errors.ts';
import { createWatchedStream } from '../platform/watched-stream.ts';
import { objectsFolder } from './backup-layout.ts';
import {
  createObjectOpening,
  createObjectSealing,
  objectsKey,
  sealedHeaderBytes,
  sealedName,
  type ObjectsKey,
} from './sealed-stream.ts';

/**
 * Media of incremental backups, stored once per content under its SHA-256. With a passphrase, files are encrypted and
 * their names reveal nothing.
 */
export interface ObjectStore {
  /** Subfolder of the objects folder. */
  readonly name: string;
  readonly folder: string;
  /** Null if not encrypted. */
  readonly key: ObjectsKey | null;
}

const keyFileSchema = z.object({ salt: z.string(), check: z.string() });
const keyFile = (folder: string): string => join(folder, 'limner-objects.json');
const checkOf = (key: ObjectsKey): string => sealedName(key, 'limner objects');

/** Opens or creates the object store for backups with this passphrase. */
export async function openObjectsFor(backupFolder: string, passphrase: string | null): Promise<ObjectStore> {
  const top = join(backupFolder, objectsFolder);
  if (passphrase === null) return make({ name: 'plain', folder: join(top, 'plain'), key: null });
  for (const name of await readdir(top).catch(() => [])) {
    if (!name.startsWith('sealed-')) continue;
    const store = await openObjects(backupFolder, name, passphrase).catch(() => null);
    if (store) return store;
  }
  const salt = randomBytes(16);
  const key = await objectsKey(passphrase, salt);
  const name = `sealed-${randomBytes(8).toString('hex')}`;
  const store = await make({ name, folder: join(top, name), key });
  replaceFileSync(keyFile(store.folder), JSON.stringify({ salt: salt.toString('base64'), check: checkOf(key) }));
  return store;
}

async function make(store: ObjectStore): Promise<ObjectStore> {
  const files = createDurableFiles();
  await files.makeFolder(store.folder);
  await files.sync();
  return store;
}

/** @throws AppError if the objects are missing or belong to another passphrase */
export async function openObjects(backupFolder: string, name: string, passphrase: string | null): Promise<ObjectStore> {
  const folder = join(backupFolder, objectsFolder, name);
  if (!existsSync(folder)) throw baseMissing(folder);
  if (name === 'plain') return { name, folder, key: null };
  const text = await readFile(keyFile(folder), 'utf8').catch(() => null);
  if (text === null) throw baseMissing(folder);
  const { data } = keyFileSchema.safeParse(parsed(text));
  const key = data && (await objectsKey(passphrase ?? '', Buffer.from(data.salt, 'base64')));
  if (key && checkOf(key) === data.check) return { name, folder, key };
  throw new AppError(
    'invalid',
    `Cannot decrypt the media of this backup in ${folder}: ${keyFile(folder)} is damaged or belongs to another ` +
      'backup folder. Nothing was changed.',
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const baseMissing = (folder: string): AppError =>
  new AppError(
    'invalid',
    `This backup is incremental: its images and videos are in ${folder}, which does not exist. Put the folder ` +
      `"${objectsFolder}" next to the backup, as it was when the backup was created. Nothing was changed.`,
  );

function objectFile({ folder, key }: ObjectStore, sha256: string): string {
  const name = key === null ? sha256 : sealedName(key, sha256);
  return join(folder, name.slice(0, 2), name);
}

/** Reads an object. It may be damaged, so callers verify its hash. */
export async function* readObject(store: ObjectStore, sha256: string): AsyncGenerator<Buffer> {
  const file = objectFile(store, sha256);
  const input = createReadStream(file, { start: store.key ? sealedHeaderBytes : 0, highWaterMark: 256 * 1024 });
  const opening = store.key && createObjectOpening(store.key, await headerOf(file));
  if (opening === null) {
    for await (const chunk of input) yield chunk as Buffer;
    return;
  }
  const piping = pipeline(input, opening);
  piping.catch(() => undefined);
  for await (const chunk of opening) yield chunk as Buffer;
  await piping;
}

async function headerOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sealedHeaderBytes), 0, sealedHeaderBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** True if the object exists and matches its hash. */
async function isWhole(store: ObjectStore, sha256: string, checkCancelled: () => void): Promise<boolean> {
  if (!existsSync(objectFile(store, sha256))) return false;
  const hash = createHash('sha256');
  try {
    for await (const chunk of readObject(store, sha256)) {
      checkCancelled();
      hash.update(chunk);
    }
  } catch {
    checkCancelled();
    return false;
  }
  return hash.digest('hex') === sha256;
}

export async function hashOfFile(path: string, checkCancelled: () => void): Promise<string> {
  const hash = createHash('sha256');
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  await pipeline(file, createWatchedStream(checkCancelled), hash);
  return hash.digest('hex');
}

/** Facts of an object that was read back. */
export interface ObjectFacts {
  readonly bytes: number;
  readonly modifiedMs: number;
  /** When the object was last read back. */
  readonly checkedMs: number;
}

/** Objects are read back once a week, because a disk may lose data without a change of size or time. */
const checkAfterMs = 7 * 24 * 60 * 60 * 1000;

/** Returns the new facts of an object that is as it was, or null if it has to be read back. */
export async function isUnchanged(
  store: ObjectStore,
  sha256: string,
  known: ObjectFacts | undefined,
): Promise<ObjectFacts | null> {
  if (!known) return null;
  const age = Date.now() - known.checkedMs;
  const file = objectFile(store, sha256);
  const found = await stat(file).catch(() => null);
  const isSame = found?.size === known.bytes && found.mtimeMs === known.modifiedMs;
  // A negative age: the clock was set back.
  return isSame && age >= 0 && age < checkAfterMs ? touch(file, known.checkedMs) : null;
}

/** Updates the time, so that a concurrent cleanup treats the object as new. */
async function touch(file: string, checkedMs: number): Promise<ObjectFacts> {
  await utimes(file, new Date(), new Date()).catch(() => undefined);
  const { size, mtimeMs } = await stat(file);
  return { bytes: size, modifiedMs: mtimeMs, checkedMs };
}

/** Stores a file as an object unless a valid one exists; new and existing ones are read back. */
export async function putObject(
  store: ObjectStore,
  path: string,
  sha256: string,
  checkCancelled: () => void,
): Promise<{ newBytes: number; facts: ObjectFacts }> {
  const file = objectFile(store, sha256);
  if (await isWhole(store, sha256, checkCancelled)) return { newBytes: 0, facts: await touch(file, Date.now()) };
  const files = createDurableFiles();
  await files.makeFolder(join(file, '..'));
  await files.sync();
  await replaceFile(file, async (temporary) => {
    const out = createWriteStream(temporary, { flags: 'wx', mode: 0o600 });
    const input = createReadStream(path, { highWaterMark: 256 * 1024 });
    const watched = createWatchedStream(checkCancelled);
    await (store.key ? pipeline(input, watched, createObjectSealing(store.key), out) : pipeline(input, watched, out));
  });
  if (await isWhole(store, sha256, checkCancelled)) {
    const facts = await touch(file, Date.now());
    return { newBytes: facts.bytes, facts };
  }
  await rm(file, { force: true });
  throw new AppError(
    'storage-broken',
    `${file} was read back and differs from the written data: the disk is not reliable. No backup was created.`,
  );
}

/** Newer objects are kept, because another process may be writing a backup to the same folder. */
const youngMs = 24 * 60 * 60 * 1000;

/** Deletes objects that no backup in the folder references. */
export async function removeUnused(store: ObjectStore, used: ReadonlySet<string>): Promise<void> {
  const kept = new Set([...used].map((sha256) => objectFile(store, sha256)));
  for (const suggestionStore of await readdir(store.folder)) {
    if (!/^[0-9a-f]{2}$/.test(suggestionStore)) continue;
    for (const name of await readdir(join(store.folder, suggestionStore))) {
      const file = join(store.folder, suggestionStore, name);
      const facts = await stat(file).catch(() => null);
      if (!kept.has(file) && facts && Date.now() - facts.mtimeMs > youngMs) await rm(file, { force: true });
    }
  }
}
