import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { forEachConcurrently, throwIfCancelled } from './cancellation.ts';
import { inTurn } from './disk-turns.ts';
import { judge, type Verdict, warningsOf } from './filter-images.ts';
import { identityOf } from './image-identity.ts';
import { toProbeError } from './probe.ts';

/** A listed frame, whose file has not been read. */
export interface UnreadFrame {
  readonly frame: number;
  readonly path: string;
  /** Absolute path of the file. */
  readonly file: string;
  /** True if the file belongs to the task. Others are used in place and identified by their content. */
  readonly isOwn?: boolean;
}

export interface ReadFrameFile {
  readonly frame: number;
  readonly width: number;
  readonly height: number;
  readonly identity: string | null;
  /** Sentence; width and height are 0. */
  readonly problem: string | null;
  /** True if the folder of the file cannot be read, or its disk fails. The problem may pass. */
  readonly isAway: boolean;
  /** Sentences about an image that is used nevertheless. */
  readonly warnings: readonly string[];
}

/** A slow disk holds a thread for each file, and images may be in many folders of it. */
const concurrency = 2;
/** Files that were just written are in memory. */
const ownConcurrency = 8;

/** Reads size and identity of listed files. A file that is not an image gets a problem instead. */
export async function readFrames(
  frames: readonly UnreadFrame[],
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<ReadFrameFile[]> {
  const read: ReadFrameFile[] = [];
  const failed: boolean[] = [];
  const atOnce = frames.every(({ isOwn }) => isOwn === true) ? ownConcurrency : concurrency;
  await forEachConcurrently(frames, atOnce, async (unread, index) => {
    const readOne = async (): Promise<void> => {
      throwIfCancelled(signal, '');
      const found = await readFrame(unread);
      read[index] = { ...found, isAway: found.problem !== null && (await isFolderAway(unread.file)) };
      failed[index] = found.problem !== null && (await isDiskFailing(unread.file));
    };
    await (unread.isOwn === true ? readOne() : inTurn(unread.file, readOne));
  });
  const firstFailed = failed.lastIndexOf(false) + 1;
  const isDiskAway = failed.length - firstFailed >= Math.min(failed.length, failingInARow);
  return isDiskAway ? read.map((one, index) => (index < firstFailed ? one : { ...one, isAway: true })) : read;
}

/** One file may be on a bad sector; a disk that fails for all of the last files is away. */
const failingInARow = 3;

async function isDiskFailing(file: string): Promise<boolean> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      await handle.read(Buffer.alloc(1), 0, 1, 0);
    } finally {
      await handle.close();
    }
    return false;
  } catch (error) {
    return /^(EIO|ENOTCONN|ESTALE|ETIMEDOUT|EHOSTDOWN|EHOSTUNREACH|ENODEV)$/.test(
      String((error as NodeJS.ErrnoException).code),
    );
  }
}

const isFolderAway = (file: string): Promise<boolean> =>
  stat(dirname(file)).then(
    () => false,
    () => true,
  );

async function readFrame({ frame, path, file, isOwn = false }: UnreadFrame): Promise<Omit<ReadFrameFile, 'isAway'>> {
  const unusable = (problem: string) => ({ frame, width: 0, height: 0, identity: null, problem, warnings: [] });
  const verdict = await judge({ path, file }, { keepsLarge: false }).catch((error: unknown) => problemOf(error, path));
  if (verdict === 'video') return unusable(`${path} is a video among images; create a separate task for it.`);
  if ('problem' in verdict) return unusable(verdict.problem);
  const identity = isOwn ? null : await identityOfImage(file, path).catch((error: unknown) => problemOf(error, path));
  if (identity !== null && typeof identity === 'object') return unusable(identity.problem);
  const { width, height } = verdict.probe;
  return { frame, width, height, identity, problem: null, warnings: warningsOf(path, verdict.probe) };
}

/** Errors of a disk that has failed or is gone concern one file, and do not end the reading of the others. */
function problemOf(error: unknown, path: string): Extract<Verdict, { problem: string }> {
  const { message } = error as Error;
  return { problem: error instanceof AppError ? message : `${path} cannot be read: ${message}.` };
}

export async function identityOfImage(file: string, name: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file);
    return await identityOf({ path: file, sizeBytes: size, modifiedMs: mtimeMs });
  } catch (error) {
    throw toProbeError(error, name);
  }
}
