import { rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { cacheDirectory, rawDirectory } from '../../media/media-location.ts';
import type { MediaFrames } from '../../media/media-frames.ts';
import type { Logger } from '../../platform/log.ts';
import { type ReplacedFrameRepository, standInFolder } from '../tables/replaced-frame-repository.ts';
import { mediaDirectory } from './task-media.ts';

interface Dependencies {
  readonly dataDirectory: string;
  readonly mediaFrames: Pick<MediaFrames, 'forget'>;
  readonly frames: ReplacedFrameRepository;
  readonly log: Logger;
}

/** Deletes the files of removed and replaced images that can no longer be restored. */
export function createUnusedImages({ dataDirectory, mediaFrames, frames, log }: Dependencies) {
  let running: Promise<void> = Promise.resolve();

  async function removeAll(): Promise<void> {
    for (const { media, task, last, files } of frames.unused()) {
      if (task !== undefined) {
        const directory = mediaDirectory(dataDirectory, task);
        const stored = files.filter((file) => !isAbsolute(file) && !file.startsWith(`${standInFolder}/`));
        for (const file of stored) await rm(join(rawDirectory({ directory }), file), { force: true });
        // The cache has smaller copies of the images.
        await mediaFrames.forget(directory);
        await rm(cacheDirectory({ directory }), { recursive: true, force: true });
      }
      // After the files: an interruption repeats their deletion.
      frames.forgetUnused(media, last);
    }
  }

  return {
    /** Starts after the current turn, because callers are inside a transaction. */
    collect(): void {
      running = running
        .then(() => new Promise<void>((resolve) => void setImmediate(resolve)))
        .then(removeAll)
        .catch((error: unknown) => log.warn('Cannot delete removed images; the next start tries again', { error }));
    },
    stop: (): Promise<void> => running,
  };
}
