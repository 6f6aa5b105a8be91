import type { createFrameDecoder } from './frame-decoder.ts';
import type { DecodedWindow } from './decoded-window.ts';

const filled = 32;
/** Remaining frames at which it starts: at thirty steps a second, the decoding time of a long group. */
const left = 30;
/** Share of the window for each of both parts; the rest is for frames ahead. */
const share = 0.4;
/** Number of consecutive short steps backwards that count as stepping. */
const walk = 2;
const pace = 4;
/** The page requests the frames around the displayed one too, in any order. */
const around = 3;
/** At a larger distance from the running decoding, the user has gone elsewhere. */
const away = 120;
/** A frame shown for this time may be followed by a step in either direction. */
const restMs = 150;

interface LookBehindOptions {
  readonly window: DecodedWindow;
  readonly decoder: () => Pick<ReturnType<typeof createFrameDecoder>, 'decode' | 'close'>;
}

/**
 * Decodes ahead for steps backwards: a group is decoded from its start, long before its last frame is wanted. Uses a
 * separate decoder, because the other one serves wanted frames. Stops when the user steps forwards.
 */
export function createLookBehind({ window, decoder: open }: LookBehindOptions) {
  let decoder: ReturnType<LookBehindOptions['decoder']> | null = null;
  const within = (count: number): number => Math.min(count, Math.floor(window.room() * share));
  let running: {
    readonly frame: number;
    readonly before: number;
    readonly abort: AbortController;
    readonly done: Promise<void>;
  } | null = null;
  let last = Number.NaN;
  let steps = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;

  function fill(frame: number): void {
    decoder ??= open();
    const abort = new AbortController();
    const before = within(filled);
    const over = (): void => {
      if (running?.abort === abort) running = null;
    };
    // Errors are reported to the request of the frame.
    running = { frame, before, abort, done: decoder.decode(frame, before, abort.signal).then(over, over) };
  }

  function lookBehind(frame: number): void {
    if (running) return;
    for (let behind = frame - 1; behind >= Math.max(0, frame - within(left)); behind -= 1) {
      if (!window.has(behind)) return fill(behind);
    }
  }

  return {
    /** Called after a frame was delivered, when no other one is wanted. */
    served(frame: number): void {
      clearTimeout(rest);
      rest = setTimeout(lookBehind, restMs, frame);
    },
    /** Called for each wanted frame. */
    notice(frame: number): void {
      clearTimeout(rest);
      if (frame >= last && frame < last + around) return;
      if (running && (frame > last || Math.abs(running.frame - frame) > away)) running.abort.abort();
      steps = frame < last && frame >= last - pace ? steps + 1 : 0;
      last = frame;
      if (steps >= walk) lookBehind(frame);
    },
    /** Resolves when a pending frame has arrived or failed; undefined for others. */
    coming(frame: number): Promise<void> | undefined {
      return running && frame <= running.frame && frame >= running.frame - running.before ? running.done : undefined;
    },
    close(): void {
      clearTimeout(rest);
      running?.abort.abort();
      decoder?.close();
    },
  };
}
