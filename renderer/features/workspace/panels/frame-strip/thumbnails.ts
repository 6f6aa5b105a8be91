import { send } from '../../../../api/client.ts';
import { createByteCache } from '../../model/frames/byte-cache.ts';

/** About 2,000 thumbnails. */
const budgetBytes = 32 * 1024 * 1024;
/** The browser opens six connections to the service, and the displayed frame has priority. */
const atOnce = 2;

interface Wish {
  readonly frame: number;
  readonly signal: AbortSignal;
  readonly done: (address: Promise<string>) => void;
}

const height = 96;

/** A thumbnail of a file that this window sends. */
async function drawn(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { resizeHeight: height, resizeQuality: 'medium' });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob({ type: 'image/jpeg' });
}

/** Thumbnails of a job's frames as blob URLs. The latest request is served first. */
export function createThumbnails(jobId: number, inWindow: (frame: number) => Promise<File> | undefined) {
  const cache = createByteCache<number, string>(budgetBytes, URL.revokeObjectURL);
  let waiting: Wish[] = [];
  let running = 0;

  const fetchOne = async ({ frame, signal }: Wish): Promise<string> => {
    const path = `/api/limner/jobs/${jobId}/frames/${frame}/thumbnail`;
    const file = inWindow(frame);
    const blob = file ? await drawn(await file) : await (await send(path, { signal, priority: 'low' })).blob();
    const address = URL.createObjectURL(blob);
    cache.set(frame, address, blob.size);
    return address;
  };

  const next = (): void => {
    while (running < atOnce) {
      const wish = waiting.pop();
      if (wish === undefined) return;
      running += 1;
      const address = fetchOne(wish);
      wish.done(address);
      void address
        .catch(() => {})
        .finally(() => {
          running -= 1;
          next();
        });
    }
  };

  return {
    kept: (frame: number): string | undefined => cache.get(frame),
    /** Rejects if the thumbnail cannot be created, and with an AbortError if no caller waits any more. */
    load(frame: number, signal: AbortSignal): Promise<string> {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const wish: Wish = { frame, signal, done: resolve };
      signal.addEventListener('abort', () => {
        waiting = waiting.filter((other) => other !== wish);
        reject(signal.reason);
      });
      waiting.push(wish);
      next();
      return promise;
    },
    clear: cache.clear,
  };
}

export type Thumbnails = ReturnType<typeof createThumbnails>;
