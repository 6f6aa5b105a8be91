import { unlessAborted } from '../../platform/aborting.ts';
import type { DecodedFrame } from './frame-memory.ts';

/** Frames of one video in one quality, with a place to store them. */
export interface FrameSeries {
  readonly id: string;
  decode(frameIndices: readonly number[], signal: AbortSignal): AsyncIterable<DecodedFrame>;
  keep(frameIndex: number, pixels: DecodedFrame, signal: AbortSignal): Promise<Buffer>;
  isKept(frameIndex: number): Promise<boolean>;
}

/** A run of frames that are decoded from first to last, although the user needs the last one first. */
interface Block {
  readonly id: string;
  readonly first: number;
  readonly stride: number;
  readonly coming: Map<number, PromiseWithResolvers<Buffer>>;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Block sizes in frames. Each start of the decoder wastes half a group of frames, so blocks grow while the user
 * continues.
 */
const [firstBlock, lastBlock] = [12, 96];
/** Pixels that one run may decode, so that blocks of large frames are shorter. */
const blockPixels = 200_000_000;
/** Largest step in frames; larger ones are jumps. */
const maxStride = 12;
const encodedAtOnce = 2;
const idleMs = 3000;

/**
 * Prepares frames for a user who steps backwards through a video. Decoders only run forwards, so frames are decoded in
 * blocks; entering a block starts the one before it. The series stores the frames, so that memory has only the few
 * being encoded. A block that is no longer needed is cancelled.
 */
export function createFramesBehind() {
  let last = { id: '', frame: -1, stride: 0 };
  let block: Block | undefined;
  let size = firstBlock;
  let framePixels = 1;
  let idle: NodeJS.Timeout | undefined;
  /** True if frames cannot be stored (disk full), so that blocks have no use. */
  let isUseless = false;

  /** Step of a user who steps backwards, otherwise 0. A step is one frame, or the same number of frames as before. */
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
      // A caller whose frame is missing requests it alone, and receives the error there.
      const error = await fill(series, { coming, controller }).then(
        () => new Error('The frame was not decoded.'),
        (reason: unknown) => reason,
      );
      for (const { reject } of coming.values()) reject(error);
      coming.clear();
    };
    block = { id: series.id, first, stride, coming, controller, ended: run() };
    return block;
  }

  /** Starts the next block when the user enters the last one and that one is ready. */
  function resume(series: FrameSeries, frame: number): void {
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
    /**
     * Returns the frame if a block provides it; undefined if it is stored already, or the user does not step backwards.
     */
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
      resume(series, frameIndex);
      return bytes;
    },
    async close(): Promise<void> {
      clearTimeout(idle);
      block?.controller.abort();
      await block?.ended;
    },
  };
}
