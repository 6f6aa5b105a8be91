import type { createFrameDecoder } from './frame-decoder.ts';
import type { FrameTimes } from './frame-times.ts';

/** Frames that are decoded ahead. */
const reach = 8;
/** Number of consecutive short steps forward that count as stepping. */
const walk = 2;
const pace = 4;

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
  const ignore = (): void => {};
  return {
    /** Called for each wanted frame. */
    notice(frame: number): void {
      steps = frame > last && frame <= last + pace ? steps + 1 : 0;
      last = frame;
    },
    resume(): void {
      const target = last + reach;
      if (steps < walk || times.timeOf(target) === undefined) return;
      const abort = new AbortController();
      // Errors are reported to the request of the frame.
      running = { abort, done: decoder.decode(target, reach, abort.signal).then(ignore, ignore) };
    },
    /** Resolves when the decoder is free. */
    async stop(): Promise<void> {
      running?.abort.abort();
      await running?.done;
      running = null;
    },
  };
}
