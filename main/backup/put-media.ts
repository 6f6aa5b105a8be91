import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { forEachConcurrently } from '../media/cancellation.ts';
import { homeOf } from '../platform/volumes.ts';
import type { JobRun } from '../platform/worker-job.ts';
import {
  identityOf,
  isSameFile,
  isYoung,
  readMediaIndex,
  writeMediaIndex,
  type FileIdentity,
  type MediaIndex,
} from './media-index.ts';
import { hashOfFile, isUnchanged, openObjectsFor, putObject, type ObjectFacts, type ObjectStore } from './objects.ts';
import { referenceLine } from './read-backup.ts';
import { readLinkedMedia, type LinkedMedia, type TreeFile } from './snapshot.ts';

interface MediaJob {
  readonly root: string;
  readonly from: 'place' | 'snapshot';
  readonly destination: string;
  readonly passphrase: string | null;
}

interface PutMedia {
  readonly store: ObjectStore;
  readonly lines: readonly string[];
  readonly newBytes: number;
  /** Files that were read because they were new or changed, or because their object was due for a check. */
  readonly readFiles: number;
}

/** Each file waits for the disk several times, mostly for syncs. */
const concurrency = 8;

/**
 * Stores media as objects. New objects are read back, known ones once a week. A file that has the identity of the last
 * backup is not read if its object is unchanged.
 */
export async function putMedia(
  { root, from, destination, passphrase }: MediaJob,
  media: readonly TreeFile[],
  onShare: (share: number) => void,
  { checkCancelled }: Pick<JobRun, 'checkCancelled'>,
): Promise<PutMedia> {
  const store = await openObjectsFor(dirname(destination), passphrase);
  const known = readMediaIndex(root, store.folder);
  const linked = from === 'snapshot' ? readLinkedMedia(root) : null;
  const next: MediaIndex = { files: new Map(), objects: new Map() };
  const bytes = media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const lines: string[] = [];
  let newBytes = 0;
  let doneBytes = 0;
  let readFiles = 0;
  /** Files with the same content share an object. */
  const unchanged = new Map<string, Promise<ObjectFacts | null>>();
  const written = new Map<string, Promise<void>>();
  const isStored = async (sha256: string): Promise<boolean> => {
    const checking = unchanged.get(sha256) ?? isUnchanged(store, sha256, known.objects.get(sha256));
    unchanged.set(sha256, checking);
    const facts = await checking;
    if (facts) next.objects.set(sha256, facts);
    return facts !== null;
  };
  const write = async (path: string, sha256: string): Promise<void> => {
    const result = await putObject(store, path, sha256, checkCancelled);
    newBytes += result.newBytes;
    next.objects.set(sha256, result.facts);
  };
  const put = async (path: string): Promise<string> => {
    readFiles += 1;
    const sha256 = await hashOfFile(path, checkCancelled);
    const writing = written.get(sha256) ?? write(path, sha256);
    written.set(sha256, writing);
    await writing;
    return sha256;
  };
  const seen = media.map(({ name, path }) => identitiesOf(name, path, linked));
  try {
    await forEachConcurrently(media, concurrency, async ({ name, path, sizeBytes, changed }, index) => {
      checkCancelled();
      const before = seen[index]?.before ?? null;
      const entry = known.files.get(name);
      const isKnown = entry !== undefined && entry.identity === before && (await isStored(entry.sha256));
      const sha256 = isKnown ? entry.sha256 : await put(path);
      lines[index] = referenceLine({ sha256, sizeBytes, changed, name });
      if (before) next.files.set(name, { identity: before, sha256 });
      doneBytes += sizeBytes;
      onShare(bytes === 0 ? 1 : doneBytes / bytes);
    });
  } finally {
    for (const [index, { name, path }] of media.entries()) keepIdentity(next, name, path, root, seen[index]);
    writeMediaIndex(root, store.folder, next);
  }
  return { store, lines, newBytes, readFiles };
}

interface Seen {
  /** Before a snapshot linked the file. */
  readonly before: FileIdentity | null;
  /** At the time of reading. */
  readonly read: FileIdentity | null;
}

function identitiesOf(name: string, path: string, linked: LinkedMedia | null): Seen {
  if (linked === null) {
    const identity = identityOf(path);
    return { before: identity, read: identity };
  }
  const [before = null, read = null] = linked.get(name) ?? [];
  return { before, read };
}

/**
 * Records the identity that the next backup will find: the hard link of the snapshot, and its removal, change the time
 * of the inode. Forgets a file that changed while it was read.
 */
function keepIdentity(next: MediaIndex, name: string, path: string, root: string, seen: Seen | undefined): void {
  const entry = next.files.get(name);
  if (!entry) return;
  next.files.delete(name);
  if (!seen?.before || !seen.read || identityOf(path) !== seen.read) return;
  const [part = '', ...rest] = name.split('/');
  const original = join(homeOf(root, part), part, ...rest);
  const isLink = path !== original && isSameFile(seen.before, seen.read);
  if (path !== original) rmSync(path);
  const now = identityOf(original);
  if (now === null || isYoung(now) || !(isLink ? isSameFile(now, seen.before) : now === seen.before)) return;
  next.files.set(name, { ...entry, identity: now });
}
