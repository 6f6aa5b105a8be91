import { join } from 'node:path';
import { createWorkerPool } from '../platform/worker-pool.ts';
import { createChunks } from './chunks.ts';
import { createDecodeBudget } from './decode-budget.ts';
import { createImageEncoder, type EncodeRequest } from './encode-image.ts';
import type { FrameRequest } from './video/encode-frame.ts';
import { findVideoTools, type VideoTools } from './video/ffmpeg.ts';
import { createFrameStore, defaultMaxCacheBytes, type FrameStore, type FrameStoreOptions } from './frame-store.ts';
import type { MediaLocation } from './media-location.ts';
import { createFrameTiles, createTilesLane } from './tiles/frame-tiles.ts';
import { makeTiles, type MakeTiles } from './tiles/make-tiles.ts';
import { createVideoReader, type VideoReader } from './video/video.ts';

export type TaskFrames = FrameStore & ReturnType<typeof createChunks> & ReturnType<typeof createFrameTiles>;

export type MediaFrames = ReturnType<typeof createMediaFrames>;

export interface MediaFramesOptions {
  readonly maxCacheBytes?: number | undefined;
  /** Module of the worker threads. Images that are processed pixel by pixel get a separate thread. */
  readonly workerUrl?: URL;
  readonly searchPath?: () => string;
}

/**
 * Cached tasks. The state of one is small, but there may be thousands of tasks; the least recently used are dropped.
 */
const keptTasks = 200;
/** Simultaneous frames of all videos, in the thread that decodes them. */
const framesAtOnce = 6;

/**
 * Frames of all tasks: one instance per process, shared by the API, the workspace, previews and functions. It caches
 * the state of a task's media between requests. Thus all callers that need a frame share one decode, one limit holds
 * for a task's cache, and a video's index is read once.
 *
 * Worker threads create their own instance for the duration of their job. They read originals and decode videos in
 * runs, do not write to the cache, and would block if they called the main thread.
 */
export function createMediaFrames(options: MediaFramesOptions = {}) {
  const { maxCacheBytes = defaultMaxCacheBytes, workerUrl, searchPath = () => process.env['PATH'] ?? '' } = options;
  const thread = workerUrl && createPictureThread(workerUrl);
  const pictures = createImageEncoder({
    budget: createDecodeBudget(),
    inThread: thread?.encode,
  });
  const tiling = { make: thread?.makeTiles ?? makeTiles, lane: createTilesLane(), maxCacheBytes };
  const kept = new Map<string, TaskFrames>();
  let known: { readonly path: string; readonly tools: VideoTools | undefined } | undefined;

  /**
   * Searches until ffmpeg is found, and again if the settings name another one, because it may be installed while
   * Limner runs.
   */
  async function tools(): Promise<VideoTools | undefined> {
    const path = searchPath();
    if (known?.path !== path || !known.tools) known = { path, tools: await findVideoTools(path) };
    return known.tools;
  }

  function create(location: MediaLocation): TaskFrames {
    let reader: VideoReader | undefined;
    const indexDirectory = videoIndexDirectory(location);
    const encodeFrame: FrameStoreOptions['encodeFrame'] = async (file, frameIndex, encoding, signal) => {
      const found = await tools();
      // The index was read with these tools just before.
      if (!thread || !found) throw new Error('There is no thread that decodes videos.');
      return thread.encodeFrame({ tools: found, indexDirectory, file, frameIndex, encoding }, signal);
    };
    const store = createFrameStore({
      ...(thread ? { encodeFrame } : {}),
      location,
      maxCacheBytes,
      pictures,
      async videos() {
        const found = await tools();
        if (found) reader ??= createVideoReader({ tools: found, indexDirectory });
        return reader;
      },
    });
    return {
      ...store,
      ...createChunks(store),
      ...createFrameTiles(store, tiling),
      async close() {
        await store.close();
        await Promise.all([reader?.close(), thread?.closeFrames(indexDirectory)]);
      },
    };
  }

  return {
    pictures,
    of(location: MediaLocation): TaskFrames {
      const { directory, inPlace } = location;
      const found = kept.get(directory);
      const frames = found?.location.inPlace === inPlace ? found : create(location);
      kept.delete(directory);
      kept.set(directory, frames);
      const [oldest] = kept.keys();
      if (kept.size > keptTasks && oldest !== undefined) kept.delete(oldest);
      return frames;
    },
    async forget(directory: string): Promise<void> {
      const frames = kept.get(directory);
      kept.delete(directory);
      await frames?.close();
    },
    async dispose(): Promise<void> {
      const all = [...kept.values()];
      kept.clear();
      await Promise.all(all.map((frames) => frames.close()));
      await thread?.stop();
    },
  };
}

/** Separate from the threads of imports and exports, which may be busy for minutes while a user waits for an image. */
function createPictureThread(workerUrl: URL) {
  const workers = createWorkerPool(workerUrl, undefined, 1);
  /** Tiles take seconds, so they have a separate thread from encoding. */
  const tiling = createWorkerPool(workerUrl, undefined, 1);
  /** While one frame is encoded, the next is decoded. */
  const videos = createWorkerPool(workerUrl, undefined, 1, framesAtOnce);
  const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hasFrames = false;
  return {
    makeTiles: ((request, signal) => tiling.run('makeTiles', request, signal ? { signal } : {})) satisfies MakeTiles,
    async encode(request: EncodeRequest): Promise<Buffer> {
      return asBuffer(await workers.run('encodeImage', request));
    },
    async encodeFrame(request: FrameRequest, signal?: AbortSignal): Promise<Buffer> {
      hasFrames = true;
      return asBuffer(await videos.run('encodeFrame', request, signal ? { signal } : {}));
    },
    /** Does not start a thread. */
    async closeFrames(indexDirectory: string): Promise<void> {
      if (hasFrames) await videos.run('closeFrames', indexDirectory);
    },
    async stop(): Promise<void> {
      await Promise.all([workers.stop(), tiling.stop(), videos.stop()]);
    },
  };
}

export function videoIndexDirectory({ directory }: Pick<MediaLocation, 'directory'>): string {
  return join(directory, 'video');
}

/** `LIMNER_MEDIA_CACHE_MB`: maximum disk space per task for thumbnails, compressed frames and chunks. */
export function mediaCacheBytes(setting = process.env['LIMNER_MEDIA_CACHE_MB']): number | undefined {
  const megabytes = Number(setting);
  return setting !== undefined && megabytes > 0 ? megabytes * 1_000_000 : undefined;
}
