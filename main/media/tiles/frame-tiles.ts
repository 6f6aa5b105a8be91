import { rm, stat } from 'node:fs/promises';
import type { ImageTiles } from '../../../preload/contract/schema/resources.ts';
import { levelCount, overviewSide, tileSide } from '../../../preload/geometry/image-tiles.ts';
import { AppError, isStorageFull, notFound } from '../../platform/errors.ts';
import { createDecodeBudget } from '../decode-budget.ts';
import { type Display, displayKey } from '../display.ts';
import { frameKey, type FrameStore } from '../frame-store.ts';
import type { StoredFrame } from '../media-location.ts';
import { type ImageProbe, probeImage } from '../probe.ts';
import type { MakeTiles } from './make-tiles.ts';
import { readTile, type TilePlace } from './tile-file.ts';

interface FrameTilesOptions {
  readonly make: MakeTiles;
  /** One image at a time, because each occupies a CPU core for seconds. Shared by all tasks. */
  readonly lane: TilesLane;
  readonly maxCacheBytes: number;
}

export type TilesLane = ReturnType<typeof createTilesLane>;

export const createTilesLane = () => createDecodeBudget({ atOnce: 1 });

const kept = 'The image is shown at low resolution, and its annotations are unchanged.';

/**
 * Tiles of large images, so that no client has to load an entire one: an overview immediately, and tiles of every
 * level.
 */
export function createFrameTiles(store: FrameStore, { make, lane, maxCacheBytes }: FrameTilesOptions) {
  async function probed(frame: StoredFrame) {
    if (frame.videoFrame !== undefined) throw notFound('Frames of a video have no tiles.');
    const file = await store.frameFile(frame);
    const probe = await probeImage(file.path, { name: frame.path });
    return { file, probe, stored: asStored(probe) };
  }

  /** The file with all tiles of a frame, created if it is not cached. */
  async function fileOf(
    frame: StoredFrame,
    { file, stored }: Awaited<ReturnType<typeof probed>>,
    signal?: AbortSignal,
    display?: Display,
  ) {
    const request = { source: file.path, name: frame.path, stored, display };
    const folder = ['tiles', displayKey(display)].filter((part) => part !== '').join('-');
    try {
      return await store.cache.file(
        `${folder}/${frameKey(frame, file)}.tiles`,
        (temporary, ended) =>
          lane.run(
            0,
            async () => {
              await make({ ...request, target: temporary }, ended);
              await requireRoom(temporary, frame.path);
            },
            ended,
          ),
        signal,
      );
    } catch (error) {
      const isFull = isStorageFull(error) || (error instanceof AppError && error.code === 'storage-full');
      if (!isFull) throw error;
      const sentence = `Cannot create the tiles of ${frame.path}: the disk is full. ${kept} Free some space and try again.`;
      throw new AppError('storage-full', sentence, undefined, { cause: error });
    }
  }

  /** Refuses tiles that exceed the cache: they would be evicted first, and created again for each tile. */
  async function requireRoom(path: string, name: string): Promise<void> {
    const { size } = await stat(path);
    if (size <= maxCacheBytes / 2) return;
    const [needed, limit] = [size, maxCacheBytes / 2].map((bytes) => Math.ceil(bytes / 1e6));
    throw new AppError(
      'invalid',
      `Cannot store the tiles of ${name}: they take ${needed} MB, and the limit per image is ${limit} MB, half of a task's cache. ` +
        `${kept} Raise LIMNER_MEDIA_CACHE_MB and try again.`,
    );
  }

  return {
    overview: (frame: StoredFrame, signal?: AbortSignal, display?: Display): Promise<Buffer> =>
      store.thumbnail(frame, overviewSide, signal, display),
    async tiles(frame: StoredFrame, signal?: AbortSignal, display?: Display): Promise<ImageTiles> {
      const known = await probed(frame);
      await fileOf(frame, known, signal, display);
      const { width, height, orientation } = known.probe;
      return { width, height, orientation, tile_side: tileSide, levels: levelCount(known.stored) };
    },
    async tile(frame: StoredFrame, place: TilePlace, signal?: AbortSignal, display?: Display): Promise<Buffer> {
      const known = await probed(frame);
      const path = await fileOf(frame, known, signal, display);
      const bytes = await readTile(path, known.stored, place).catch(async () => {
        // Damaged by a failing disk, or being evicted: create it again.
        await rm(path, { force: true });
        return readTile(await fileOf(frame, known, signal, display), known.stored, place);
      });
      if (!bytes) throw notFound(`${frame.path} has no tile ${place.column}, ${place.row} on level ${place.level}.`);
      return bytes;
    },
  };
}

function asStored({ width, height, orientation }: ImageProbe) {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
