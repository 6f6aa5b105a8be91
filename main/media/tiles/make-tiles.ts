import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { levelCount, tileSide } from '../../../preload/geometry/image-tiles.ts';
import { throwIfCancelled } from '../cancellation.ts';
import type { Display } from '../display.ts';
import { decodeErrorsNamed, openForDisplay } from '../decode.ts';
import { toJpeg } from '../encode-image.ts';
import { placesOf, type StoredSize } from './tile-file.ts';

/** Plain data, so that it can be sent to a worker thread. */
export interface TilesRequest {
  readonly source: string;
  readonly name: string;
  /** Size as stored in the file, before the EXIF orientation. */
  readonly stored: StoredSize;
  /** The file to fill; temporary files are created beside it. */
  readonly target: string;
  readonly display?: Display | undefined;
}

export type MakeTiles = typeof makeTiles;

/** High, because annotators inspect single pixels. */
const tileQuality = 95;
const kept = 'The image is unchanged.';

/**
 * Cuts an image into tiles of all levels, in the orientation of its file: one pass from top to bottom, with a few rows
 * of each level in memory. An EXIF rotation would need all of it, so the viewer rotates the tiles. Ends soon after the
 * signal fires.
 */
export async function makeTiles(request: TilesRequest, signal?: AbortSignal): Promise<void> {
  const { source, name, stored, target, display } = request;
  const base = `${target}.tiles`;
  // The library adds this suffix.
  const folder = `${base}_files`;
  const stop = (): void => void breakOff(folder);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const picture = await decodeErrorsNamed(name, () => openForDisplay(source, { name, display, isTurned: false }));
    throwIfCancelled(signal, kept);
    const tiles = toJpeg(picture, tileQuality).tile({
      size: tileSide,
      layout: 'dz',
      container: 'fs',
      depth: 'onetile',
    });
    await decodeErrorsNamed(name, () => tiles.toFile(base)).catch((error: unknown) => {
      throwIfCancelled(signal, kept);
      throw fullDisk(error) ?? error;
    });
    await pack(folder, stored, target, signal);
  } finally {
    signal?.removeEventListener('abort', stop);
    for (const path of [folder, `${base}.dzi`]) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Stops the library, which has no way to cancel: it fails when it cannot write, so a file replaces its folder. If that
 * is impossible (Windows locks a folder in use), it runs to its end and the result is deleted.
 */
async function breakOff(folder: string): Promise<void> {
  const aside = `${folder}.${randomUUID()}.part`;
  await rename(folder, aside).then(
    () => writeFile(folder, '', { flag: 'wx' }).catch(() => undefined),
    () => undefined,
  );
  await rm(aside, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** Detects a full disk, which the library reports only as text. */
function fullDisk(error: unknown): Error | undefined {
  const words = String((error as { cause?: unknown } | null)?.cause);
  const isFull = /No space left on device|Disk quota exceeded/i.test(words);
  return isFull ? Object.assign(new Error(words, { cause: error }), { code: 'ENOSPC' }) : undefined;
}

/** Writes all tiles, level by level and row by row, followed by the offset of each. */
async function pack(
  folder: string,
  stored: StoredSize,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const levels = levelCount(stored);
  const starts: number[] = [0];
  const file = await open(target, 'w');
  try {
    for (const { level, column, row } of placesOf(stored)) {
      throwIfCancelled(signal, kept);
      // The library counts its levels from the smallest.
      const bytes = await readFile(join(folder, String(levels - 1 - level), `${column}_${row}.jpeg`));
      await file.write(bytes);
      starts.push((starts.at(-1) ?? 0) + bytes.length);
    }
    await file.write(new Uint8Array(Float64Array.from(starts).buffer));
  } finally {
    await file.close();
  }
}
