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
  /** Identifies one acquisition of the lock. */
  id: z.string(),
  pid: z.int().positive(),
  startTime: z.string().nullable(),
  host: z.string(),
  since: z.string(),
  /** Address of the running instance, once it is ready. */
  url: z.string().nullable(),
});
export type InstanceHolder = z.infer<typeof holderSchema>;

export interface InstanceLock {
  publish(url: string): void;
  release(): void;
}

/** A takeover takes well under a millisecond: an older guard was left by a process that died during one. */
const abandonedGuardMs = 10_000;

/**
 * Locks the data directory for this process. The lock is a file that appears completely, and only if none exists, so of
 * two processes that start together one gets it. The lock of an ended process is taken over.
 * @throws AppError `conflict` that names the process with the lock.
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
    `Cannot take the lock ${lockFile}: other processes keep taking it. Try again in a moment.`,
  );
}

/** The instance that currently holds the data directory, or `null`. */
export function readInstanceHolder(lockFile: string): InstanceHolder | null {
  const lock = lookAtLock(lockFile);
  return lock.state === 'held' ? lock.holder : null;
}

/** State of a lock. `unreadable`: not written by Limner, or truncated by a full disk. */
export type LockState =
  | { readonly state: 'free' | 'unreadable' }
  | { readonly state: 'stale'; readonly holder: InstanceHolder }
  | {
      readonly state: 'held';
      readonly holder: InstanceHolder;
      /** Held by a process of another computer, which cannot be checked from here. */
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

/** A hard link fails if the file exists, and shows either the full content or nothing. */
function placeIfAbsent(lockFile: string, holder: InstanceHolder): boolean {
  const temporary = writeTemporary(lockFile, holder);
  try {
    linkSync(temporary, lockFile);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    // exFAT and some network drives have no hard links. Second best: create the file only if it is absent.
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
    rmSync(temporary, { force: true });
    throw storageFailure(error) ?? error;
  } finally {
    closeSync(descriptor);
  }
  return temporary;
}

/**
 * Removes the lock of an ended process. Requires the guard folder, and that the lock is unchanged since it was found
 * stale, so that two processes cannot remove each other's new lock.
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

/** `null` for a file that is not a lock of Limner, for example one truncated by a full disk. */
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
