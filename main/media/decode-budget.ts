import { availableParallelism } from 'node:os';

const defaultBytes = 256 * 1024 ** 2;
/**
 * Each decode occupies one of libuv's threads, which file access also needs, and one CPU core, which responses
 * also need.
 */
const defaultAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));

interface Waiting {
  readonly need: number;
  readonly start: () => void;
}

export type DecodeBudget = ReturnType<typeof createDecodeBudget>;

/**
 * Distributes memory and CPU cores for decoding in order of requests. All decoding in the thread that serves requests
 * shares one budget: API, workspace, thumbnails, chunks and functions. Worker threads have none, because an import or
 * export decodes one image or video frame after another.
 * @param options.atOnce maximum number of simultaneous decodes, regardless of their size
 */
export function createDecodeBudget({
  bytes = defaultBytes,
  atOnce = defaultAtOnce,
}: { readonly bytes?: number; readonly atOnce?: number } = {}) {
  const waiting: Waiting[] = [];
  let freeBytes = bytes;
  let running = 0;

  /** Strictly in order, so that small images cannot delay a large one forever. */
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
    /** Runs `work` as soon as `bytes` are free. A request larger than the budget waits until no other decode runs. */
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
