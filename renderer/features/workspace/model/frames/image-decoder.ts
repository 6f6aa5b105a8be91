import type { Size } from '../../../../canvas/types.ts';

export interface DecodeRequest {
  readonly id: number;
  readonly file: Blob;
  /** Size to scale to; null keeps the file's size. */
  readonly target: Size | null;
}

interface Decoded {
  readonly bitmap: ImageBitmap;
  /** Upright size of the image in the file. */
  readonly size: Size;
}

export type DecodeAnswer = (Decoded & { readonly id: number }) | { readonly id: number; readonly message: string };

interface Waiting {
  readonly file: Blob;
  readonly target: Size | null;
  readonly signal: AbortSignal;
  readonly settle: PromiseWithResolvers<Decoded>;
}

export type ImageDecoder = ReturnType<typeof createImageDecoder>;

/** One decode for the frame that the user waits for, and one for a neighbour. */
const mostAtOnce = 2;

/**
 * A worker keeps the bytes of its files until its garbage collection, which so few objects never trigger. So it is
 * replaced after this number of bytes.
 */
const bytesOfOneWorker = 32 * 1024 * 1024;

const startWorker = (): Worker => new Worker(new URL('./decode-image.worker.ts', import.meta.url), { type: 'module' });

/**
 * Decodes image files in a worker. The last request is served first, and cancelled ones are dropped, so that a held key
 * never builds up a queue.
 */
export function createImageDecoder(
  start: () => Pick<Worker, 'postMessage' | 'addEventListener' | 'terminate'> = startWorker,
) {
  let worker: ReturnType<typeof start> | null = null;
  const running = new Map<number, Waiting>();
  let waiting: Waiting[] = [];
  let lastId = 0;
  let sentBytes = 0;

  const finish = (id: number, how: (one: Waiting) => void): void => {
    const one = running.get(id);
    running.delete(id);
    if (one !== undefined) how(one);
    next();
    if (running.size > 0 || sentBytes < bytesOfOneWorker) return;
    worker?.terminate();
    worker = open();
  };
  const onAnswer = ({ data }: MessageEvent<DecodeAnswer>): void =>
    finish(data.id, ({ settle, signal }) => {
      if ('message' in data) return settle.reject(new Error(`Cannot decode the image (${data.message}).`));
      if (!signal.aborted) return settle.resolve(data);
      data.bitmap.close();
      settle.reject(signal.reason);
    });
  /** For example if its file cannot be loaded; the next request starts another one. */
  const onFailure = (): void => {
    worker?.terminate();
    worker = null;
    for (const id of running.keys()) {
      finish(id, ({ settle }) => settle.reject(new Error('Cannot decode the image: the decoder ended. Try again.')));
    }
  };
  const open = () => {
    sentBytes = 0;
    const opened = start();
    opened.addEventListener('message', onAnswer as (event: Event) => void);
    opened.addEventListener('error', onFailure);
    return opened;
  };
  const next = (): void => {
    if (running.size >= mostAtOnce) return;
    const one = waiting.pop();
    if (one === undefined) return;
    lastId += 1;
    running.set(lastId, one);
    worker ??= open();
    sentBytes += one.file.size;
    worker.postMessage({ id: lastId, file: one.file, target: one.target } satisfies DecodeRequest);
  };

  return {
    decode(file: Blob, target: Size | null, signal: AbortSignal): Promise<Decoded> {
      const one = { file, target, signal, settle: Promise.withResolvers<Decoded>() };
      const callOff = (): void => {
        if (!waiting.includes(one)) return;
        waiting = waiting.filter((other) => other !== one);
        one.settle.reject(signal.reason);
      };
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      signal.addEventListener('abort', callOff, { once: true });
      waiting.push(one);
      next();
      return one.settle.promise.finally(() => signal.removeEventListener('abort', callOff));
    },
    close() {
      worker?.terminate();
      worker = null;
    },
  };
}
