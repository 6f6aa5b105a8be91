import type { createFrameDecoder } from './frame-decoder.ts';
import type { PictureWindow } from './picture-window.ts';

/** Frames that one decoding brings: more than the way there costs in time. */
export const filledBehind = 40;
/** At thirty steps a second, the time that a long group of frames takes. */
const fewest = 24;
/** So many wishes in a row, each for a frame just before the one before it, are a walk. */
const walk = 2;
const pace = 4;
/** Farther from a running decoding, somebody is elsewhere. */
const away = 120;

interface LookBehindOptions {
  readonly window: PictureWindow;
  readonly decoder: () => Pick<ReturnType<typeof createFrameDecoder>, 'decode' | 'close'>;
}

/**
 * Decodes ahead for who walks backwards: a group of frames is decoded from its beginning, so that it has to be begun long
 * before its last frame is wanted. By a decoder of its own, because the other one serves what is wanted now.
 */
export function createLookBehind({ window, decoder: open }: LookBehindOptions) {
  let decoder: ReturnType<LookBehindOptions['decoder']> | null = null;
  let running: { readonly frame: number; readonly abort: AbortController; readonly done: Promise<void> } | null = null;
  let last = Number.NaN;
  let steps = 0;

  function fill(frame: number): void {
    decoder ??= open();
    const abort = new AbortController();
    const over = (): void => {
      if (running?.abort === abort) running = null;
    };
    // Who wants the frame hears of what is wrong with it.
    running = { frame, abort, done: decoder.decode(frame, abort.signal).then(over, over) };
  }

  return {
    /** A frame is wanted. */
    notice(frame: number): void {
      steps = frame < last && frame >= last - pace ? steps + 1 : 0;
      last = frame;
      if (running) {
        if (Math.abs(running.frame - frame) > away) running.abort.abort();
        return;
      }
      if (steps < walk) return;
      for (let behind = frame - 1; behind >= Math.max(0, frame - fewest); behind -= 1) {
        if (window.has(behind)) continue;
        fill(behind);
        return;
      }
    },
    /** Until a frame that is on its way has come, or does not come; undefined for others. */
    coming(frame: number): Promise<void> | undefined {
      return running && frame <= running.frame && frame > running.frame - filledBehind ? running.done : undefined;
    },
    close(): void {
      running?.abort.abort();
      decoder?.close();
    },
  };
}
