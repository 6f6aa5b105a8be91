import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError } from '../platform/errors.ts';
import { forEachConcurrently } from './cancellation.ts';
import { type FrameFile, statFrameFile } from './frame-file.ts';
import type { MediaLocation, StoredFrame } from './media-location.ts';

/** State of an image used in place: replaced by another image, or missing. */
export type FrameState = 'replaced' | 'missing';

/**
 * Bytes hashed at both ends. Formats store size and date at the start, and different pixels give different last bytes.
 */
const endBytes = 65_536;
const concurrency = 16;

/** Stored form: `size-time-hash`: size, modification time in milliseconds, and a hash of both ends. */
export async function identityOf({ path, sizeBytes, modifiedMs }: FrameFile): Promise<string> {
  return `${sizeBytes}-${Math.trunc(modifiedMs)}-${await hashOfEnds(path, sizeBytes)}`;
}

/** Size and hash of an identity, which do not change when a file is moved. */
export function hashInIdentity(identity: string): string {
  const [size, , hash] = identity.split('-');
  return `${size}-${hash}`;
}

async function hashOfEnds(path: string, sizeBytes: number): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const hash = createHash('sha256').update(`${sizeBytes}\n`);
    const buffer = Buffer.allocUnsafe(endBytes);
    const starts = sizeBytes <= endBytes ? [0] : [0, Math.max(endBytes, sizeBytes - endBytes)];
    for (const start of starts) {
      const { bytesRead } = await handle.read(buffer, 0, endBytes, start);
      hash.update(buffer.subarray(0, bytesRead));
    }
    return hash.digest('hex').slice(0, 32);
  } finally {
    await handle.close();
  }
}

/** Undefined for the original image. Without an identity, only a missing image is detected. */
export async function frameState(
  location: MediaLocation,
  frame: StoredFrame,
  identity: string | null,
): Promise<FrameState | undefined> {
  try {
    const file = await statFrameFile(location, frame);
    // The bucket has compared the object.
    if (frame.object) return undefined;
    return identity === null || (await isSame(file, identity)) ? undefined : 'replaced';
  } catch (error) {
    // Deleted in between, or not readable: the image cannot be displayed.
    if (error instanceof AppError ? error.code === 'not-found' : 'code' in Object(error)) return 'missing';
    throw error;
  }
}

/** A file that was only touched, or copied back, is the same: if the time differs, the bytes decide. */
async function isSame(file: FrameFile, identity: string): Promise<boolean> {
  const [size, time, hash] = identity.split('-');
  if (Number(size) !== file.sizeBytes) return false;
  return Number(time) === Math.trunc(file.modifiedMs) || hash === (await hashOfEnds(file.path, file.sizeBytes));
}

export async function frameStates(
  location: MediaLocation,
  frames: readonly { readonly stored: StoredFrame; readonly identity: string | null }[],
): Promise<(FrameState | undefined)[]> {
  const states: (FrameState | undefined)[] = [];
  await forEachConcurrently(frames, concurrency, async ({ stored, identity }, index) => {
    states[index] = await frameState(location, stored, identity);
  });
  return states;
}
