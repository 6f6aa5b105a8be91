import { awaitsImages, type MediaRepository, type MediaRow, type ReadFrame } from '../tables/media-repository.ts';

/** How long a request that waits for images may not notice that its task was deleted. */
const checkedEveryMs = 1000;

interface Arriving {
  readonly left: Set<number>;
  readonly waiting: Set<() => void>;
}

/** Frames that were created by the names of images, until these are sent. Known without a look at all rows. */
export function createSentImages(media: MediaRepository) {
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

  return {
    frames,
    left: (medium: MediaRow): number => frames(medium).size,
    store(mediaId: number, read: readonly (ReadFrame & { readonly warnings: readonly string[] })[]): void {
      const medium = media.get(mediaId);
      if (medium === undefined) return;
      media.storeRead(mediaId, read);
      if (!awaitsImages(medium)) return;
      const entry = entryOf(mediaId);
      for (const { frame, warnings } of read) {
        entry.left.delete(frame);
        if (warnings.length > 0) found.set(mediaId, [...(found.get(mediaId) ?? []), ...warnings]);
      }
      if (entry.left.size === 0) {
        media.endReading(mediaId);
        arriving.delete(mediaId);
      }
      for (const tell of entry.waiting) tell();
    },
    takeWarnings(mediaId: number): string[] {
      const warnings = found.get(mediaId) ?? [];
      found.delete(mediaId);
      return warnings;
    },
    /** Resolves when images have arrived, when the signal aborts, and from time to time. */
    async change(mediaId: number, signal: AbortSignal | undefined): Promise<void> {
      const { waiting } = entryOf(mediaId);
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, checkedEveryMs);
      waiting.add(resolve);
      const stop = (): void => resolve();
      signal?.addEventListener('abort', stop, { once: true });
      await promise;
      signal?.removeEventListener('abort', stop);
      clearTimeout(timer);
      waiting.delete(resolve);
      if (media.get(mediaId) === undefined) arriving.delete(mediaId);
    },
  };
}
