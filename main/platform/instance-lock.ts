import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { z } from 'zod';
import { AppError, storageFailure } from './errors.ts';
import { makeFolder } from './make-folder.ts';
import { currentProcess, isRunning } from './process-identity.ts';

const holderSchema = z.object({
  /** Tells one taking of the lock from the next. */
  id: z.string(),
  pid: z.int().positive(),
  startTime: z.string().nullable(),
  host: z.string(),
  since: z.string(),
  /** Address of the running instance, once it answers. */
  url: z.string().nullable(),
});
export type InstanceHolder = z.infer<typeof holderSchema>;

export interface InstanceLock {
  /** Writes the address that other commands (import, export) reach this instance at. */
  publish(url: string): void;
  release(): void;
}

/** A takeover lasts well under a millisecond: a guard this old was left by a process that died inside one. */
const abandonedGuardMs = 10_000;

/**
 * Takes the data directory for this process. The lock is a file that appears whole and only where none stands, so of
 * two processes that start together one gets it; a lock whose process has ended is taken over.
 * @throws AppError `conflict` that names the process holding it.
 */
export function acquireInstanceLock(lockFile: string): InstanceLock {
  const holder: InstanceHolder = {
    id: randomUUID(),
    ...currentProcess(),
    since: new Date().toISOString(),
    url: null,
  };
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (placeIfAbsent(lockFile, holder)) return heldLock(lockFile, holder);
    const found = readRaw(lockFile);
    if (found === null) continue;
    const other = parseHolder(found);
    if (other !== null && isRunning(other)) throw lockedBy(other, lockFile);
    removeStale(lockFile, found);
  }
  throw new AppError(
    'conflict',
    `The lock ${lockFile} could not be taken: other processes keep taking it. Try again in a moment.`,
  );
}

/** The instance that holds the data directory now, or `null`. */
export function readInstanceHolder(lockFile: string): InstanceHolder | null {
  const lock = lookAtLock(lockFile);
  return lock.state === 'held' ? lock.holder : null;
}

/** What a lock says. `unreadable`: it is not of ours, or cut off by a full disk. */
export type LockState =
  | { readonly state: 'free' | 'unreadable' }
  | { readonly state: 'stale'; readonly holder: InstanceHolder }
  | {
      readonly state: 'held';
      readonly holder: InstanceHolder;
      /** By a process of another computer, which cannot be seen from here. */
      readonly isElsewhere: boolean;
    };

export function lookAtLock(lockFile: string): LockState {
  const raw = readRaw(lockFile);
  if (raw === null) return { state: 'free' };
  const holder = parseHolder(raw);
  if (holder === null) return { state: 'unreadable' };
  if (!isRunning(holder)) return { state: 'stale', holder };
  return { state: 'held', holder, isElsewhere: holder.host !== currentProcess().host };
}

function heldLock(lockFile: string, holder: InstanceHolder): InstanceLock {
  const isOurs = (): boolean => {
    const raw = readRaw(lockFile);
    return raw !== null && parseHolder(raw)?.id === holder.id;
  };
  return {
    publish(url) {
      if (!isOurs()) return;
      const temporary = writeTemporary(lockFile, { ...holder, url });
      renameSync(temporary, lockFile);
    },
    release() {
      if (isOurs()) rmSync(lockFile, { force: true });
    },
  };
}

/** A hard link fails where a file stands already, and shows either the whole content or nothing. */
function placeIfAbsent(lockFile: string, holder: InstanceHolder): boolean {
  const temporary = writeTemporary(lockFile, holder);
  try {
    linkSync(temporary, lockFile);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    // exFAT and some network drives have no hard links: the next best is to create the file only if it is absent.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS' || code === 'EOPNOTSUPP') {
      return createExclusively(lockFile, holder);
    }
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function createExclusively(lockFile: string, holder: InstanceHolder): boolean {
  try {
    writeFileSync(lockFile, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function writeTemporary(lockFile: string, holder: InstanceHolder): string {
  makeFolder(dirname(lockFile));
  const temporary = `${lockFile}.${randomUUID()}`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(descriptor, JSON.stringify(holder));
    fsyncSync(descriptor);
  } catch (error) {
    // A full disk: nothing of the try stays.
    rmSync(temporary, { force: true });
    throw storageFailure(error) ?? error;
  } finally {
    closeSync(descriptor);
  }
  return temporary;
}

/**
 * Removes the lock of an ended process. Only the holder of the guard folder may, and only if the lock still says what
 * was judged stale: two processes that judge at once cannot remove each other's fresh lock.
 */
function removeStale(lockFile: string, judged: string): void {
  const guard = `${lockFile}.takeover`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    waitForGuard(guard);
    return;
  }
  try {
    if (readRaw(lockFile) === judged) rmSync(lockFile, { force: true });
  } finally {
    rmdirSync(guard);
  }
}

function waitForGuard(guard: string): void {
  try {
    if (Date.now() - statSync(guard).mtimeMs > abandonedGuardMs) rmdirSync(guard);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}

function readRaw(lockFile: string): string | null {
  try {
    return readFileSync(lockFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** `null` for a file that is not a lock of ours, for example one cut off by a full disk. */
function parseHolder(raw: string): InstanceHolder | null {
  try {
    return holderSchema.safeParse(JSON.parse(raw)).data ?? null;
  } catch {
    return null;
  }
}

function lockedBy(other: InstanceHolder, lockFile: string): AppError {
  const place = other.url === null ? '' : ` at ${other.url}`;
  const elsewhere = other.host === currentProcess().host ? '' : ` on the computer ${other.host}`;
  const advice =
    elsewhere === ''
      ? 'Use that one, stop it, or choose another data directory with --data-dir.'
      : `Stop it there. If it no longer runs, delete ${lockFile} and start again.`;
  return new AppError(
    'conflict',
    `Limner already runs on this data directory: process ${other.pid}${elsewhere}${place}. ${advice}`,
    { pid: other.pid, url: other.url, host: other.host },
  );
}
