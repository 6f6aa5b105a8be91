import { unlessAborted } from '../cancellation.ts';
import type { DecodedFrame } from './frame-memory.ts';

/** Frames of one video in one quality, which are kept somewhere once they are made. */
export interface FrameSeries {
  readonly id: string;
  decode(frameIndices: readonly number[], signal: AbortSignal): AsyncIterable<DecodedFrame>;
  /** Encodes a frame and keeps it. */
  keep(frameIndex: number, pixels: DecodedFrame, signal: AbortSignal): Promise<Buffer>;
  isKept(frameIndex: number): Promise<boolean>;
}

/** Frames that are being made in one run, from the first to the last, for somebody who wants the last one first. */
interface Block {
  readonly id: string;
  readonly first: number;
  readonly stride: number;
  /** Those that are not there yet. */
  readonly coming: Map<number, PromiseWithResolvers<Buffer>>;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** A start decodes half a group of frames for nothing: the longer somebody goes on, the more are made by one. */
const [firstBlock, lastBlock] = [12, 96];
/** What one run may decode of it: fewer of large frames. */
const blockPixels = 200_000_000;
/** Frames between two that are asked for: more are leaps. */
const maxStride = 12;
const encodedAtOnce = 2;
const idleMs = 3000;

/**
 * Makes the frames that come next for who steps backwards through a video: decoders only go forwards, so they are made
 * in blocks, and a block is begun when the one behind it is stepped into. What is made is kept by the series, so that
 * memory holds the few frames that are being encoded. A block that nobody asks for any more is given up.
 */
export function createFramesBehind() {
  let last = { id: '', frame: -1, stride: 0 };
  let block: Block | undefined;
  let size = firstBlock;
  /** Of a frame of the last block. */
  let framePixels = 1;
  let idle: NodeJS.Timeout | undefined;
  /** Where frames cannot be kept, on a full disk, nothing is won. */
  let isUseless = false;

  /** The stride of somebody who steps backwards, else 0: one frame at a time, or the same number again. */
  function strideTo(id: string, frame: number): number {
    const stride = last.id === id ? last.frame - frame : 0;
    const isSteady = stride === 1 || (stride > 0 && stride === last.stride);
    last = { id, frame, stride };
    return isSteady && stride <= maxStride ? stride : 0;
  }

  async function fill(series: FrameSeries, { coming, controller }: Pick<Block, 'coming' | 'controller'>) {
    const { signal } = controller;
    const wanted: number[] = [];
    for (const frame of coming.keys()) {
      if (await series.isKept(frame)) coming.delete(frame);
      else wanted.push(frame);
    }
    if (wanted.length === 0) return;
    const encoding: Promise<void>[] = [];
    const encode = async (frame: number, pixels: DecodedFrame): Promise<void> => {
      const bytes = await series.keep(frame, pixels, signal);
      coming.get(frame)?.resolve(bytes);
      coming.delete(frame);
    };
    let position = 0;
    try {
      for await (const pixels of series.decode(wanted, signal)) {
        const one = encode(wanted[position] ?? 0, pixels);
        one.catch(() => undefined);
        encoding.push(one);
        position += 1;
        framePixels = pixels.width * pixels.height;
        if (encoding.length > encodedAtOnce) await encoding.shift();
      }
      for (const one of encoding) await one;
    } finally {
      await Promise.allSettled(encoding);
    }
    isUseless = !(await series.isKept(wanted.at(-1) ?? 0));
  }

  function begin(series: FrameSeries, top: number, stride: number): Block {
    block?.controller.abort();
    const count = Math.min(size, Math.floor(top / stride) + 1);
    const first = top - (count - 1) * stride;
    const coming = new Map(
      Array.from({ length: count }, (_, step) => [first + step * stride, Promise.withResolvers<Buffer>()]),
    );
    for (const { promise } of coming.values()) promise.catch(() => undefined);
    const controller = new AbortController();
    const before = block?.ended;
    const run = async (): Promise<void> => {
      await before;
      // Who waits for a frame that does not come asks for it alone, and is told why.
      const error = await fill(series, { coming, controller }).then(
        () => new Error('The frame was not made.'),
        (reason: unknown) => reason,
      );
      for (const { reject } of coming.values()) reject(error);
      coming.clear();
    };
    block = { id: series.id, first, stride, coming, controller, ended: run() };
    return block;
  }

  /** The next block is begun as soon as somebody steps into the last one, once that is there. */
  function goOn(series: FrameSeries, frame: number): void {
    const isInLast = block?.id === series.id && frame >= block.first && block.coming.size === 0;
    if (!block || !isInLast || block.first < block.stride) return;
    size = Math.max(firstBlock, Math.min(size * 2, lastBlock, Math.floor(blockPixels / framePixels)));
    begin(series, block.first - block.stride, block.stride);
  }

  function rest(): void {
    clearTimeout(idle);
    idle = setTimeout(() => block?.controller.abort(), idleMs).unref();
  }

  return {
    /** A frame that is asked for, where this makes it; undefined where it is kept already, or is nothing of this. */
    async frame(series: FrameSeries, frameIndex: number, signal?: AbortSignal): Promise<Buffer | undefined> {
      const stride = strideTo(series.id, frameIndex);
      if (stride === 0 || isUseless) return undefined;
      rest();
      const isKept = await series.isKept(frameIndex);
      const isComing = block?.id === series.id && block.coming.has(frameIndex);
      if (!isKept && !isComing) {
        size = firstBlock;
        begin(series, frameIndex, stride);
      }
      const wanted = block?.coming.get(frameIndex)?.promise;
      const bytes =
        isKept || !wanted
          ? undefined
          : await unlessAborted(
              wanted.catch(() => undefined),
              signal,
            );
      goOn(series, frameIndex);
      return bytes;
    },
    async close(): Promise<void> {
      clearTimeout(idle);
      block?.controller.abort();
      await block?.ended;
    },
  };
}
