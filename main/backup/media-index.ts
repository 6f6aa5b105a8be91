import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../platform/durable-files.ts';
import type { ObjectFacts } from './objects.ts';

/** Identity of a file with its content: device, inode, size, and the times of the last change in nanoseconds. */
export type FileIdentity = `${string} ${bigint}`;

export function identityOf(path: string): FileIdentity | null {
  const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return facts ? `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs} ${facts.ctimeNs}` : null;
}

/** Ignores the time that a new or removed hard link changes. */
export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.split(' ')[0] === other.split(' ')[0];

/** Larger than the resolution of the times of any file system. A younger file may change without a new time. */
const youngMs = 2000;

export function isYoung(identity: FileIdentity): boolean {
  const modifiedMs = Number(identity.split(' ')[0]?.split(':').at(-1)) / 1e6;
  return modifiedMs > Date.now() - youngMs;
}

/** SHA-256 of media that earlier incremental backups read, and the facts of their objects. */
export interface MediaIndex {
  readonly files: Map<string, { readonly identity: FileIdentity; readonly sha256: string }>;
  readonly objects: Map<string, ObjectFacts>;
}

const indexFolder = (root: string): string => join(root, 'backup-index');
/** One for each object store. In the data directory, because names in the backup folder must not reveal content. */
const indexFile = (root: string, storeFolder: string): string =>
  join(indexFolder(root), createHash('sha256').update(storeFolder).digest('hex').slice(0, 16));

const header = (body: string): string => `limner-media-index 1 ${createHash('sha256').update(body).digest('hex')}\n`;

/** Returns an empty index if the file is missing or damaged: the next backup then reads everything. */
export function readMediaIndex(root: string, storeFolder: string): MediaIndex {
  try {
    const text = readFileSync(indexFile(root, storeFolder), 'utf8');
    const body = text.slice(text.indexOf('\n') + 1);
    if (!text.startsWith(header(body))) throw new Error('damaged');
    // The checksum shows that `writeMediaIndex` wrote it.
    const { files, objects } = JSON.parse(body) as Record<'files' | 'objects', [string, never][]>;
    return { files: new Map(files), objects: new Map(objects) };
  } catch {
    return { files: new Map(), objects: new Map() };
  }
}

const keptIndexes = 8;

/** A failure costs only the time of the next backup, so it is ignored. */
export function writeMediaIndex(root: string, storeFolder: string, { files, objects }: MediaIndex): void {
  try {
    const body = JSON.stringify({ files: [...files], objects: [...objects] });
    replaceFileSync(indexFile(root, storeFolder), header(body) + body);
    const all = readdirSync(indexFolder(root)).map((name) => join(indexFolder(root), name));
    const byAge = all.map((file) => ({ file, ms: statSync(file).mtimeMs })).sort((a, b) => b.ms - a.ms);
    for (const { file } of byAge.slice(keptIndexes)) rmSync(file, { force: true });
  } catch {
    rmSync(indexFile(root, storeFolder), { force: true });
  }
}
