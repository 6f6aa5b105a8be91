import type { ReadFrameFile, UnreadFrame } from '../../media/read-frames.ts';
import { AppError } from '../../platform/errors.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { awaitsImages, type MediaRepository, type MediaRow, type ReadFrame } from '../tables/media-repository.ts';

/** How long a request that waits for images may not notice that its task was deleted. */
const checkedEveryMs = 1000;

export interface ReadingProgress {
  readonly read: number;
  readonly total: number;
  /** Images that have not been sent. */
  readonly unsent: number;
}

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  /** Called after each portion, with sentences about its images. */
  readonly onProgress?: ((progress: ReadingProgress, warnings: readonly string[]) => void) | undefined;
  /** Also waits for images that have not been sent, instead of refusing. */
  readonly awaitsSending?: boolean;
}

interface Arriving {
  readonly left: Set<number>;
  readonly waiting: Set<() => void>;
}

interface Dependencies {
  readonly media: MediaRepository;
  readonly workers: Pick<WorkerPool, 'run'>;
  readonly ending: AbortSignal;
}

/** Frames that were created by the names of images, until these are sent. Known without a look at all rows. */
export function createSentImages({ media, workers, ending }: Dependencies) {
  const arriving = new Map<number, Arriving>();
  /** Sentences about images that no listener has received. */
  const found = new Map<number, string[]>();

  function entryOf(mediaId: number): Arriving {
    const known = arriving.get(mediaId);
    if (known) return known;
    const entry = { left: new Set(media.unreadFrames(mediaId)), waiting: new Set<() => void>() };
    arriving.set(mediaId, entry);
    return entry;
  }
  const frames = (medium: MediaRow): ReadonlySet<number> =>
    awaitsImages(medium) ? entryOf(medium.id).left : new Set<number>();

  function progress(medium: MediaRow): ReadingProgress {
    const unsent = frames(medium).size;
    return { read: medium.size - unsent, total: medium.size, unsent };
  }

  function store(mediaId: number, read: readonly (ReadFrame & { readonly warnings?: readonly string[] })[]): void {
    const medium = media.get(mediaId);
    if (medium === undefined) return;
    media.storeRead(mediaId, read);
    if (!awaitsImages(medium)) return;
    const entry = entryOf(mediaId);
    const told = found.get(mediaId) ?? [];
    found.set(mediaId, told);
    for (const { frame, warnings = [] } of read) {
      entry.left.delete(frame);
      told.push(...warnings);
    }
    if (entry.left.size === 0) {
      media.endReading(mediaId);
      arriving.delete(mediaId);
    }
    for (const tell of entry.waiting) tell();
  }

  return {
    /** Frames whose images have not been sent. */
    frames,
    /** Reads images that were stored below `raw/`, and stores their sizes. */
    async read(mediaId: number, files: readonly UnreadFrame[]): Promise<readonly ReadFrameFile[]> {
      const own = files.map((file) => ({ ...file, isOwn: true }));
      const read = await workers.run('readFrames', own, { signal: ending });
      const away = read.find(({ isAway }) => isAway);
      if (away) throw new AppError('storage-broken', `Cannot read the images that were sent: ${away.problem}`);
      store(mediaId, read);
      return read;
    },
    /** Excludes frames whose images have not been sent, like files that are not images. */
    giveUp: (mediaId: number, rows: readonly ReadFrame[]): void => store(mediaId, rows),
    left: (medium: MediaRow): number => frames(medium).size,
    progress,
    refusal: (medium: MediaRow): AppError =>
      new AppError(
        'invalid',
        `Cannot use the images: ${frames(medium).size} of the ${medium.size} images of the task were not sent yet. Send them, or remove their frames on the page of the task.`,
      ),
    /** Resolves when images have arrived, when the signal aborts, and from time to time. */
    async change(medium: MediaRow, { signal, onProgress }: Waiting): Promise<void> {
      const { waiting } = entryOf(medium.id);
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, checkedEveryMs);
      const stop = (): void => resolve();
      waiting.add(stop);
      signal?.addEventListener('abort', stop, { once: true });
      await promise;
      signal?.removeEventListener('abort', stop);
      clearTimeout(timer);
      waiting.delete(stop);
      const now = media.get(medium.id);
      if (now === undefined) {
        arriving.delete(medium.id);
        return;
      }
      const warnings = found.get(medium.id) ?? [];
      found.delete(medium.id);
      onProgress?.(progress(now), warnings);
    },
  };
}
