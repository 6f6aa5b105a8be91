import type { RgbPixels } from '../../platform/bmp.ts';
import type { ToolRun } from './ffmpeg.ts';
import { startIntoPipe } from './frame-pipe.ts';

export interface DecodedFrame extends RgbPixels {
  /** The video has colours at half the resolution, so the encoded frame may have them too. */
  readonly hasHalfColours?: boolean | undefined;
  /**
   * Returns the memory for use by another frame, because allocating it costs more than decoding. Do not read the frame
   * afterwards. To keep a frame, do not call it.
   */
  readonly release?: () => void;
}

/** Returned buffers kept for the next frames: as many as are encoded at the same time. */
const spares = 3;

/** Output of a program in buffers of `sizeBytes` each; an incomplete last one is dropped. Ends like {@link runTool}. */
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

/** Releases only once, because the buffer belongs to another frame afterwards. */
function releasable(data: Buffer, spare: Set<Buffer>) {
  let isGiven = true;
  const release = (): void => {
    if (isGiven && spare.size < spares) spare.add(data);
    isGiven = false;
  };
  return { data, release };
}
