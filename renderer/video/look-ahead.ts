import type { createFrameDecoder } from './frame-decoder.ts';
import type { FrameTimes } from './frame-times.ts';

/** Frames that are decoded while those before them are looked at. */
const reach = 8;
/** So many wishes in a row, each for a frame soon after the one before it, are a walk. */
const walk = 2;
const pace = 4;

interface LookAheadOptions {
  readonly times: FrameTimes;
  readonly decoder: Pick<ReturnType<typeof createFrameDecoder>, 'decode'>;
}

/**
 * Lets the decoder go on for who plays or steps forwards: it works beside the page, which draws meanwhile. What is wanted
 * comes first; where it stopped, it goes on.
 */
export function createLookAhead({ times, decoder }: LookAheadOptions) {
  let last = Number.NaN;
  let steps = 0;
  let running: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;
  const ignore = (): void => {};
  return {
    /** A frame is wanted. */
    notice(frame: number): void {
      steps = frame > last && frame <= last + pace ? steps + 1 : 0;
      last = frame;
    },
    /** Nothing else is wanted now. */
    goOn(): void {
      const target = last + reach;
      if (steps < walk || times.timeOf(target) === undefined) return;
      const abort = new AbortController();
      // Who wants a frame hears of what is wrong with it.
      running = { abort, done: decoder.decode(target, reach, abort.signal).then(ignore, ignore) };
    },
    /** The decoder is free then. */
    async stop(): Promise<void> {
      running?.abort.abort();
      await running?.done;
      running = null;
    },
  };
}
