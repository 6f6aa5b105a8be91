import type { DecodedFrame } from './frame-memory.ts';
import type { VideoReader } from './video.ts';

/** Decoding this many unneeded frames is cheaper than a restart, which decodes half a group of frames too. */
const maxSkipped = 60;

export type VideoWalk = ReturnType<typeof createVideoWalk>;

/**
 * Provides the frames of one video to a caller that walks it from start to end, decoded in runs. `ahead` returns the
 * frames that will probably follow `frameIndex`, in order. Decoding pauses until the next request, so that at most one
 * frame is in memory.
 */
export function createVideoWalk(videos: VideoReader, file: string, ahead: (frameIndex: number) => readonly number[]) {
  let coming: readonly number[] = [];
  let run: AsyncGenerator<DecodedFrame> | undefined;

  async function close(): Promise<void> {
    const ended = run;
    run = undefined;
    coming = [];
    await ended?.return(undefined);
  }

  async function begin(frameIndex: number): Promise<AsyncGenerator<DecodedFrame>> {
    await close();
    coming = [frameIndex, ...ahead(frameIndex)];
    run = videos.frames(file, coming);
    return run;
  }

  async function read(frameIndex: number): Promise<DecodedFrame> {
    const place = coming.indexOf(frameIndex);
    const frames = run && place >= 0 && place <= maxSkipped ? run : await begin(frameIndex);
    try {
      for (;;) {
        const { value, done } = await frames.next();
        if (done === true) throw new Error(`The decoder ended before frame ${frameIndex}.`);
        const [arrived] = coming;
        coming = coming.slice(1);
        if (arrived === frameIndex) return value;
      }
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Serialises requests, because there is one decoder. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Ends the decoder. A later request starts another one. */
    close,
    frame(frameIndex: number): Promise<DecodedFrame> {
      const frame = last.then(() => read(frameIndex));
      last = frame.catch(() => undefined);
      return frame;
    },
  };
}
