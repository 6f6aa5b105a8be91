import type { RgbPixels } from '../../platform/bmp.ts';

/** A frame of a video. */
export interface DecodedFrame extends RgbPixels {
  /** The video keeps colours at half the resolution: so may what is made of the frame. */
  readonly hasHalfColours?: boolean | undefined;
  /**
   * Nothing of it is read any more: its memory is taken for another frame. New memory for each costs more than decoding
   * it. Whoever keeps a frame leaves it out.
   */
  readonly release?: () => void;
}

/** Buffers that are given back wait for the next frames: as many as are encoded beside each other. */
const spares = 3;

/** Cuts a stream into buffers of `sizeBytes` each; an incomplete last one is dropped. */
export async function* fixedSizeParts(
  stream: AsyncIterable<Buffer>,
  sizeBytes: number,
): AsyncGenerator<{ readonly data: Buffer; readonly release: () => void }> {
  const spare = new Set<Buffer>();
  const next = (): Buffer => {
    const [found] = spare;
    if (!found) return Buffer.allocUnsafe(sizeBytes);
    spare.delete(found);
    return found;
  };
  let part = next();
  let filled = 0;
  for await (const piece of stream) {
    for (let taken = 0; taken < piece.length;) {
      const count = Math.min(sizeBytes - filled, piece.length - taken);
      piece.copy(part, filled, taken, taken + count);
      taken += count;
      filled += count;
      if (filled < sizeBytes) continue;
      yield releasable(part, spare);
      part = next();
      filled = 0;
    }
  }
}

/** Given back once: afterwards it is another frame's. */
function releasable(data: Buffer, spare: Set<Buffer>) {
  let isGiven = true;
  const release = (): void => {
    if (isGiven && spare.size < spares) spare.add(data);
    isGiven = false;
  };
  return { data, release };
}
