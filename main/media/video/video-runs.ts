import type { DecodedFrame } from './frame-memory.ts';

type Decode = (file: string, frameIndices: readonly number[], signal: AbortSignal) => AsyncGenerator<DecodedFrame>;

export interface VideoRunsOptions {
  readonly decode: Decode;
  readonly frameCount: (file: string) => Promise<number>;
}

/** A paused decoder, positioned shortly after the last requested frame. */
interface Run {
  readonly file: string;
  coming: readonly number[];
  readonly frames: AsyncGenerator<DecodedFrame>;
  /** The next frame, being decoded or ready: decoded while the previous one is encoded and sent. */
  next: Promise<IteratorResult<DecodedFrame>> | undefined;
  readonly controller: AbortController;
  isBusy: boolean;
  /** Resolvers of callers that wait until it is free or has ended. */
  waiting: (() => void)[];
  idle: NodeJS.Timeout | undefined;
}

/** Decoding this many unneeded frames is cheaper than a restart, which decodes half a group of frames too. */
const maxSkipped = 60;
const maxAhead = 200;
/** One for the window and one for a program, at different positions. */
const maxRuns = 2;
const idleMs = 5000;
/** Frames kept per start for a user who steps backwards, as far as memory allows. */
const maxBehind = 12;
const heldBytes = 64 * 1024 ** 2;

/**
 * Provides single frames on request. A start decodes from a keyframe to the frame, so a run continues with the next
 * request, and stepping backwards gets several frames at once. An unused run ends after a few seconds; a cancelled
 * request ends its run immediately.
 */
export function createVideoRuns({ decode, frameCount }: VideoRunsOptions) {
  /** Ordered by use; the most recently used is the last. */
  let runs: Run[] = [];
  const held = new Map<string, DecodedFrame>();
  let release: NodeJS.Timeout | undefined;
  let lastAsked = { file: '', frameIndex: -1 };
  let ended: Promise<unknown> = Promise.resolve();

  function end(run: Run): void {
    runs = runs.filter((one) => one !== run);
    clearTimeout(run.idle);
    run.controller.abort();
    ended = Promise.all([ended, run.frames.return(undefined).catch(() => undefined)]);
  }

  function begin(file: string, coming: readonly number[]): Run {
    const idle = runs.filter((run) => !run.isBusy);
    const [oldest] = idle;
    if (oldest && runs.length >= maxRuns) end(oldest);
    const controller = new AbortController();
    const frames = decode(file, coming, controller.signal);
    const run: Run = { file, coming, frames, next: undefined, controller, isBusy: false, waiting: [], idle: undefined };
    runs.push(run);
    return run;
  }

  function decodeNext(run: Run): void {
    run.next = run.frames.next();
    // The caller that takes it receives its error; there may be none.
    run.next.catch(() => undefined);
  }

  /** @param isGoingOn whether a frame of this run was given already: who asks for one alone pays for no other */
  async function take(
    run: Run,
    frameIndex: number,
    isGoingOn: boolean,
    signal: AbortSignal | undefined,
  ): Promise<DecodedFrame> {
    const giveUp = (): void => end(run);
    signal?.addEventListener('abort', giveUp, { once: true });
    clearTimeout(run.idle);
    run.isBusy = true;
    runs = [...runs.filter((one) => one !== run), run];
    try {
      for (;;) {
        const { value, done } = await (run.next ?? run.frames.next());
        run.next = undefined;
        signal?.throwIfAborted();
        if (done === true) throw new Error(`The decoder ended before frame ${frameIndex}.`);
        const [arrived] = run.coming;
        run.coming = run.coming.slice(1);
        if (arrived === frameIndex) {
          if (isGoingOn && run.coming.length > 0) decodeNext(run);
          return value;
        }
        if (arrived !== undefined && arrived > frameIndex - maxBehind) hold(run.file, arrived, value);
      }
    } catch (error) {
      end(run);
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', giveUp);
      run.isBusy = false;
      for (const wake of run.waiting.splice(0)) wake();
      if (run.coming.length === 0) end(run);
      else run.idle = setTimeout(() => end(run), idleMs).unref();
    }
  }

  function hold(file: string, frameIndex: number, { data, width, height, hasHalfColours }: DecodedFrame): void {
    const room = Math.max(1, Math.floor(heldBytes / data.byteLength));
    // Keeps no `release`: the frame may be requested more than once.
    held.set(keyOf(file, frameIndex), { data, width, height, hasHalfColours });
    for (const key of [...held.keys()].slice(0, Math.max(0, held.size - room))) held.delete(key);
    clearTimeout(release);
    release = setTimeout(() => held.clear(), idleMs).unref();
  }

  /** Finds a run that yields the frame next, or after a few skipped ones. */
  const runTo = (file: string, frameIndex: number): Run | undefined =>
    runs.find((run) => {
      const place = run.coming.indexOf(frameIndex);
      return run.file === file && place >= 0 && place <= maxSkipped;
    });

  return {
    async frame(file: string, frameIndex: number, signal?: AbortSignal): Promise<DecodedFrame> {
      signal?.throwIfAborted();
      const isBackwards = lastAsked.file === file && frameIndex < lastAsked.frameIndex;
      const isNear = isBackwards && lastAsked.frameIndex - frameIndex < maxBehind;
      lastAsked = { file, frameIndex };
      const count = await frameCount(file);
      const isWaitedFor = runs.some(({ waiting }) => waiting.length > 0);
      // Parallel requests may arrive out of order, so a skipped frame may still be requested.
      const isLeap = !isNear && runTo(file, frameIndex) === undefined;
      if (isLeap && !isWaitedFor && !held.has(keyOf(file, frameIndex))) held.clear();
      for (;;) {
        const known = held.get(keyOf(file, frameIndex));
        if (known) return known;
        const running = runTo(file, frameIndex);
        if (!running) break;
        if (!running.isBusy) return take(running, frameIndex, true, signal);
        // Parallel requests for consecutive frames share one decoder.
        await new Promise<void>((resolve) => running.waiting.push(resolve));
        signal?.throwIfAborted();
      }
      const first = isNear ? Math.max(0, frameIndex - maxBehind + 1) : frameIndex;
      const last = isNear ? frameIndex : Math.min(frameIndex + maxAhead, count - 1);
      return take(begin(file, upTo(first, Math.max(last, frameIndex))), frameIndex, false, signal);
    },
    async close(): Promise<void> {
      for (const run of runs) end(run);
      clearTimeout(release);
      held.clear();
      await ended;
    },
  };
}

const keyOf = (file: string, frameIndex: number): string => `${frameIndex}\0${file}`;

const upTo = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);
