import { bitmapBytes, createByteCache } from './byte-cache.ts';
import type { ReducedPicture } from '../../../../canvas/types.ts';
import type { ShownTiles } from './tiled-frames.ts';

/** A still image in the size of the view. */
export interface ReducedFrame extends ReducedPicture {
  close(): void;
}

/**
 * Image of a frame for the canvas. Video frames stay in the decoder's format, which needs a third of the memory. Large
 * images consist of tiles with a separate budget.
 */
export type FramePicture = ImageBitmap | VideoFrame | ShownTiles | ReducedFrame;

/** Reads one frame. Rejects with an error whose message tells the reason. */
export type FrameSource = (frame: number, signal: AbortSignal) => Promise<FramePicture>;

const mebibyte = 1024 * 1024;
const reach = 2;
/**
 * Still images farther from the displayed frame are released: those next to it are decoded ahead in time. The turning
 * point keeps the two behind it.
 */
const keptAround = 2;

/** Four complete images of 12 megapixels with 8 GB of memory or more; browsers report no more than 8. */
const defaultBudgetBytes = (): number => {
  const { deviceMemory = 8 } = (globalThis.navigator ?? {}) as { readonly deviceMemory?: number };
  return Math.max(64, 24 * deviceMemory) * mebibyte;
};

const bytesOf = (picture: FramePicture): number => {
  if ('allocationSize' in picture) return picture.allocationSize();
  if ('reduced' in picture) return bitmapBytes(picture.reduced);
  return bitmapBytes('overview' in picture ? picture.overview : picture);
};

/** Decoded frames around the displayed one, limited by their size in memory. */
export function createFrameLoader(source: FrameSource, budgetBytes = defaultBudgetBytes()) {
  let shown = -1;
  /** A stale displayed frame stays until it is replaced. */
  let isShownStale = false;
  const dispose = (picture: FramePicture): void => picture.close();
  const cache = createByteCache<number, FramePicture>(budgetBytes, dispose, (frame) => frame === shown);
  const running = new Map<number, { readonly promise: Promise<FramePicture>; readonly abort: AbortController }>();

  const callOff = (frame: number): void => {
    running.get(frame)?.abort.abort();
    running.delete(frame);
  };

  const start = (frame: number): Promise<FramePicture> => {
    const cached = cache.get(frame);
    if (cached !== undefined && !(isShownStale && frame === shown)) return Promise.resolve(cached);
    const already = running.get(frame);
    if (already !== undefined) return already.promise;
    const abort = new AbortController();
    const promise = source(frame, abort.signal)
      .then((picture) => {
        cache.set(frame, picture, bytesOf(picture));
        if (frame === shown) isShownStale = false;
        return picture;
      })
      .finally(() => {
        if (running.get(frame)?.abort === abort) running.delete(frame);
      });
    running.set(frame, { promise, abort });
    return promise;
  };

  const callOffAwayFrom = (frame: number): void => {
    for (const number of running.keys()) if (Math.abs(number - frame) > reach) callOff(number);
  };

  /** Video frames stay within the budget only: they depend on earlier ones, so decoding one again takes longer. */
  const releaseAwayFrom = (frame: number): void => {
    cache.dropIf((number, picture) => Math.abs(number - frame) > keptAround && !('allocationSize' in picture));
  };

  return {
    /** Loads a frame's image, from memory if it was prefetched. Cancels requests for distant frames. */
    load(frame: number) {
      callOffAwayFrom(frame);
      return start(frame);
    },
    ready: (frame: number) => (isShownStale && frame === shown ? undefined : cache.get(frame)),
    renew() {
      for (const frame of running.keys()) callOff(frame);
      cache.clear(shown);
      isShownStale = true;
    },
    /** Keeps this frame, and cancels requests for distant ones. */
    show(frame: number) {
      if (frame !== shown && isShownStale) cache.drop(shown);
      isShownStale &&= frame === shown;
      shown = frame;
      callOffAwayFrom(frame);
      releaseAwayFrom(frame);
    },
    /** Loads the next two frames and the previous one. */
    prefetchAround(
      frame: number,
      direction: 1 | -1,
      { first, last }: { readonly first: number; readonly last: number },
    ) {
      // The latest request is served first.
      for (const offset of [-direction, 2 * direction, direction]) {
        const next = frame + offset;
        if (next >= first && next <= last) start(next).catch(() => undefined);
      }
    },
    /** Releases everything except for the displayed frame. */
    release() {
      for (const frame of running.keys()) if (frame !== shown) callOff(frame);
      cache.clear(shown);
    },
    close() {
      for (const frame of running.keys()) callOff(frame);
      cache.clear();
    },
  };
}

export type FrameLoader = ReturnType<typeof createFrameLoader>;
