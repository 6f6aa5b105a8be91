import { availableParallelism } from 'node:os';

const defaultBytes = 256 * 1024 ** 2;
/**
 * Each decode keeps one of libuv's four threads, which files need too, and one processor, which answers need too.
 */
const defaultAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));

interface Waiting {
  readonly need: number;
  readonly start: () => void;
}

export type DecodeBudget = ReturnType<typeof createDecodeBudget>;

/**
 * Memory and processors for decoding, given out in the order of asking. One budget serves everybody who decodes in the
 * thread that answers: API, workspace, thumbnails, chunks and functions. Worker threads have none of their own: an import
 * or export decodes one picture after another, and the frames of a video one after another.
 * @param options.atOnce decodes at the same time, however small
 */
export function createDecodeBudget({
  bytes = defaultBytes,
  atOnce = defaultAtOnce,
}: { readonly bytes?: number; readonly atOnce?: number } = {}) {
  const waiting: Waiting[] = [];
  let freeBytes = bytes;
  let running = 0;

  /** Strictly in order: a large picture is not passed by small ones for ever. */
  function admit(): void {
    for (let next = waiting[0]; next && running < atOnce && next.need <= freeBytes; next = waiting[0]) {
      waiting.shift();
      running += 1;
      freeBytes -= next.need;
      next.start();
    }
  }

  function take(need: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const place: Waiting = {
        need,
        start() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(place), 1);
        reject(signal?.reason);
        admit();
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(place);
      admit();
    });
  }

  return {
    /** Runs `work` as soon as `bytes` are free; more than there are wait until nobody else decodes. */
    async run<Result>(wanted: number, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
      signal?.throwIfAborted();
      const need = Math.min(bytes, Math.max(0, wanted));
      await take(need, signal);
      try {
        return await work();
      } finally {
        running -= 1;
        freeBytes += need;
        admit();
      }
    },
  };
}
