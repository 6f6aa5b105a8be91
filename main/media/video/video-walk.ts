import type { DecodedFrame } from './frame-memory.ts';
import type { VideoReader } from './video.ts';

/** Rather decode so many frames that nobody asked for than begin anew: a start decodes half a group of frames, too. */
const maxSkipped = 60;

export type VideoWalk = ReturnType<typeof createVideoWalk>;

/**
 * Gives out the frames of one video that somebody goes through from front to back, decoded in runs. `ahead` gives the frames that will probably be asked for behind `frameIndex`, in order. Decoding waits where it is
 * until somebody asks, so that no more than a frame lies in memory.
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

  /** There is one decoder: who asks meanwhile waits. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Ends the decoder. The walk may go on: then another one begins. */
    close,
    frame(frameIndex: number): Promise<DecodedFrame> {
      const frame = last.then(() => read(frameIndex));
      last = frame.catch(() => undefined);
      return frame;
    },
  };
}
