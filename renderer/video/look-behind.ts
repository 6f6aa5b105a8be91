import type { createFrameDecoder } from './frame-decoder.ts';
import type { PictureWindow } from './picture-window.ts';

/** Frames that one decoding brings. */
const filled = 32;
/** It begins when so few are left: at thirty steps a second, the time that a long group takes. */
const left = 30;
/** Of what is held, either part: the rest is ahead. */
const share = 0.4;
/** So many wishes in a row, each for a frame just before the one before it, are a walk. */
const walk = 2;
const pace = 4;
/** Farther from a running decoding, somebody is elsewhere. */
const away = 120;
/** Who looks at a frame for so long may go on in either direction. */
const restMs = 150;

interface LookBehindOptions {
  readonly window: PictureWindow;
  readonly decoder: () => Pick<ReturnType<typeof createFrameDecoder>, 'decode' | 'close'>;
}

/**
 * Decodes ahead for who walks backwards: a group of frames is decoded from its beginning, so that it has to be begun long
 * before its last frame is wanted. By a decoder of its own, because the other one serves what is wanted now; it gives up
 * where somebody goes forwards.
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
    // Who wants the frame hears of what is wrong with it.
    running = { frame, before, abort, done: decoder.decode(frame, before, abort.signal).then(over, over) };
  }

  function lookBehind(frame: number): void {
    if (running) return;
    for (let behind = frame - 1; behind >= Math.max(0, frame - within(left)); behind -= 1) {
      if (!window.has(behind)) return fill(behind);
    }
  }

  return {
    /** A frame was given, and nothing else is wanted. */
    served(frame: number): void {
      clearTimeout(rest);
      rest = setTimeout(lookBehind, restMs, frame);
    },
    /** A frame is wanted. */
    notice(frame: number): void {
      clearTimeout(rest);
      if (running && (frame > last || Math.abs(running.frame - frame) > away)) running.abort.abort();
      steps = frame < last && frame >= last - pace ? steps + 1 : 0;
      last = frame;
      if (steps >= walk) lookBehind(frame);
    },
    /** Until a frame that is on its way has come, or does not come; undefined for others. */
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
