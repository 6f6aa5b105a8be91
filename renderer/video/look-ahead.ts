import type { createFrameDecoder } from './frame-decoder.ts';
import type { FrameTimes } from './frame-times.ts';

/** Frames that are decoded ahead. */
const reach = 8;
/** Number of consecutive short steps forward that count as stepping. */
const walk = 2;
const pace = 4;
/** The page requests the frames around the displayed one too, in any order. */
const around = 3;

interface LookAheadOptions {
  readonly times: FrameTimes;
  readonly decoder: Pick<ReturnType<typeof createFrameDecoder>, 'decode'>;
}

/**
 * Decodes ahead during playback and steps forward, while the page draws. Wanted frames have priority; then it resumes.
 */
export function createLookAhead({ times, decoder }: LookAheadOptions) {
  let last = Number.NaN;
  let steps = 0;
  let running: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  function resume(): void {
    const target = last + reach;
    if (running || steps < walk || times.timeOf(target) === undefined) return;
    const abort = new AbortController();
    const over = (): void => {
      if (abort.signal.aborted) return;
      running = null;
      // Frames from memory were delivered in the meantime.
      if (last + reach > target) resume();
    };
    // Errors are reported to the request of the frame.
    running = { abort, done: decoder.decode(target, reach, abort.signal).then(over, over) };
  }

  return {
    /** Called for each wanted frame. */
    notice(frame: number): void {
      if (frame <= last && frame > last - around) return;
      steps = frame > last && frame <= last + pace ? steps + 1 : 0;
      last = frame;
    },
    /** Decodes ahead of the last wanted frame, and goes on as long as later ones are wanted. */
    resume,
    /** Resolves when the decoder is free. */
    async stop(): Promise<void> {
      running?.abort.abort();
      await running?.done;
      running = null;
    },
  };
}
