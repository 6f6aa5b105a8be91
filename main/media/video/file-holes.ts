import { open } from 'node:fs/promises';

/** Bytes of a file from `start` up to, and without, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What a copy that was broken off leaves: pages that were set aside and never written. */
const pageBytes = 4096;
const emptyPage = Buffer.alloc(pageBytes);
const readBytes = 256 * pageBytes;

/**
 * Whether whole pages of zeros lie within the given ranges. Compressed pictures hold none: whoever finds one looks
 * closer. Space that a container sets aside lies between packets, and does not count.
 */
export async function hasHole(
  file: string,
  ranges: readonly ByteRange[],
  signal?: AbortSignal | undefined,
): Promise<boolean> {
  const rising = ranges.toSorted((a, b) => a.start - b.start);
  const buffer = Buffer.allocUnsafe(readBytes);
  const handle = await open(file);
  let next = 0;
  try {
    for (let position = 0; ; position += readBytes) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, readBytes, position);
      for (let page = 0; page + pageBytes <= bytesRead; page += pageBytes) {
        if (buffer[page] !== 0 || !buffer.subarray(page, page + pageBytes).equals(emptyPage)) continue;
        const start = position + page;
        while ((rising[next]?.end ?? Infinity) <= start) next += 1;
        if ((rising[next]?.start ?? Infinity) < start + pageBytes) return true;
      }
      if (bytesRead < readBytes) return false;
    }
  } finally {
    await handle.close();
  }
}
