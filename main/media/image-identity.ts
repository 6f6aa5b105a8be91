import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError } from '../platform/errors.ts';
import { forEachConcurrently } from './cancellation.ts';
import { type FrameFile, statFrameFile } from './frame-file.ts';
import type { MediaLocation, StoredFrame } from './media-location.ts';

/** What became of an image that is used in place: another picture lies there now, or none. */
export type FrameState = 'replaced' | 'missing';

/** Of both ends: formats state their size and date at the start, and other pixels end otherwise. */
const endBytes = 65_536;
const concurrency = 16;

/** Size, time of the last change in milliseconds, and a hash of the ends, as the store keeps them: `size-time-hash`. */
export async function identityOf({ path, sizeBytes, modifiedMs }: FrameFile): Promise<string> {
  return `${sizeBytes}-${Math.trunc(modifiedMs)}-${await hashOfEnds(path, sizeBytes)}`;
}

/** What an identity says of the bytes: size and hash, which stay where a file is carried to. */
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

/** Undefined for the very image that was there. Without an identity only a missing one is noticed. */
export async function frameState(
  location: MediaLocation,
  frame: StoredFrame,
  identity: string | null,
): Promise<FrameState | undefined> {
  try {
    const file = await statFrameFile(location, frame);
    return identity === null || (await isSame(file, identity)) ? undefined : 'replaced';
  } catch (error) {
    // Gone since it was looked at, or not to be read: nobody sees the picture.
    if (error instanceof AppError ? error.code === 'not-found' : 'code' in Object(error)) return 'missing';
    throw error;
  }
}

/** A file that was only touched, or copied back, is the same: bytes decide where the time differs. */
async function isSame(file: FrameFile, identity: string): Promise<boolean> {
  const [size, time, hash] = identity.split('-');
  if (Number(size) !== file.sizeBytes) return false;
  return Number(time) === Math.trunc(file.modifiedMs) || hash === (await hashOfEnds(file.path, file.sizeBytes));
}

/** Of many frames, in their order. */
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
