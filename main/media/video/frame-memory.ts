import type { RgbPixels } from '../../platform/bmp.ts';
import type { ToolRun } from './ffmpeg.ts';
import { startIntoPipe } from './frame-pipe.ts';

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

/** What a program writes, in buffers of `sizeBytes` each; an incomplete last one is dropped. Ends as {@link runTool} does. */
export async function* fixedSizeParts(
  program: string,
  args: readonly string[],
  run: ToolRun,
  sizeBytes: number,
): AsyncGenerator<{ readonly data: Buffer; readonly release: () => void }> {
  const spare = new Set<Buffer>();
  const next = (): Buffer => {
    const [found] = spare;
    if (!found) return Buffer.allocUnsafe(sizeBytes);
    spare.delete(found);
    return found;
  };
  const { tool, fill, close } = await startIntoPipe(program, args, run);
  try {
    for (let part = next(); await fill(part); part = next()) yield releasable(part, spare);
    await tool.success();
  } catch (error) {
    run.signal?.throwIfAborted();
    throw error;
  } finally {
    close();
    await tool.end();
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
