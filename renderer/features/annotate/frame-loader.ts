import { createByteCache } from './byte-cache.ts';

/** Reads one frame. Rejects with an error whose message says what is wrong with it. */
export type FrameSource = (frame: number, signal: AbortSignal) => Promise<ImageBitmap>;

export interface FrameLoader {
  /** The frame's picture; from memory when it was prefetched. */
  load(frame: number): Promise<ImageBitmap>;
  ready(frame: number): ImageBitmap | undefined;
  /** `frame` is in view now: loads its neighbours and calls off what is no longer near it. */
  prefetchAround(frame: number, first: number, last: number): void;
  close(): void;
}

/** About 16 frames of 8 megapixels. */
const defaultBudgetBytes = 512 * 1024 * 1024;
const reach = 2;

/** Decoded frames around the one in view, limited by their size in memory. */
export function createFrameLoader(source: FrameSource, budgetBytes = defaultBudgetBytes): FrameLoader {
  let shown = -1;
  const dispose = (bitmap: ImageBitmap): void => bitmap.close();
  const cache = createByteCache<number, ImageBitmap>(budgetBytes, dispose, (frame) => frame === shown);
  const running = new Map<number, { readonly promise: Promise<ImageBitmap>; readonly abort: AbortController }>();

  const callOff = (frame: number): void => {
    running.get(frame)?.abort.abort();
    running.delete(frame);
  };

  const start = (frame: number): Promise<ImageBitmap> => {
    const cached = cache.get(frame);
    if (cached !== undefined) return Promise.resolve(cached);
    const already = running.get(frame);
    if (already !== undefined) return already.promise;
    const abort = new AbortController();
    const promise = source(frame, abort.signal)
      .then((bitmap) => {
        cache.set(frame, bitmap, bitmap.width * bitmap.height * 4);
        return bitmap;
      })
      .finally(() => {
        if (running.get(frame)?.abort === abort) running.delete(frame);
      });
    running.set(frame, { promise, abort });
    return promise;
  };

  return {
    load: (frame) => start(frame),
    ready: (frame) => cache.get(frame),
    prefetchAround(frame, first, last) {
      shown = frame;
      for (const number of running.keys()) if (Math.abs(number - shown) > reach) callOff(number);
      for (const offset of [1, -1, 2, -2]) {
        const next = frame + offset;
        if (next >= first && next <= last) start(next).catch(() => undefined);
      }
    },
    close() {
      for (const frame of running.keys()) callOff(frame);
      cache.clear();
    },
  };
}
