import type { VideoTimes } from '../../../../../preload/contract/schema/resources.ts';
import { send } from '../../../../api/client.ts';
import type { VideoReader } from '../../../../video/video-reader.ts';
import type { Size } from '../../../../canvas/types.ts';
import type { FrameSource, ReducedFrame } from './frame-loader.ts';
import type { ImageDecoder } from './image-decoder.ts';
import { reducedSize } from './reduced-size.ts';
import { isTiled, type TiledFrames } from './tiled-frames.ts';

interface FrameMeta {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** Formats that the browser decodes. The service re-encodes the others. */
const native = /\.(jpe?g|png|webp|bmp|gif)$/i;

const fetchFrame = async (
  jobId: number,
  frame: number,
  quality: 'original' | 'compressed',
  signal: AbortSignal,
  display = '',
): Promise<Blob> => {
  const query = `type=frame&number=${frame}&quality=${quality}${display === '' ? '' : `&${display}`}`;
  return (await send(`/api/jobs/${jobId}/data?${query}`, { signal })).blob();
};

const isSameSize = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;

/** Images that this window sends, which the service may not have yet. */
export interface LocalImages {
  fileOf(name: string): Promise<File> | undefined;
  /** Resolves when the service has the image. */
  sendNow(frame: number): Promise<void>;
}

interface ImageReading {
  readonly jobId: number;
  readonly inWindow?: LocalImages;
  readonly decoder: ImageDecoder;
  /** How often the view halves an image of this size; may be a fraction. */
  readonly levelOf: (size: Size) => number;
}

/** The source file; null if the browser cannot decode it or shows it in another size. */
const readOriginal = async (
  { jobId, decoder, levelOf, inWindow }: ImageReading,
  frame: number,
  meta: FrameMeta,
  signal: AbortSignal,
): Promise<ImageBitmap | ReducedFrame | null> => {
  const level = levelOf(meta);
  const target = level === 0 ? null : reducedSize(meta, level);
  const read = async (to: Size | null, until: AbortSignal) =>
    decoder.decode(await (inWindow?.fileOf(meta.name) ?? fetchFrame(jobId, frame, 'original', until)), to, until);
  const found = await read(target, signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return null;
  });
  if (found === null) return null;
  const { bitmap, size } = found;
  if (!isSameSize(size, meta)) {
    bitmap.close();
    return null;
  }
  if (target === null) return bitmap;
  return {
    reduced: bitmap,
    readWhole: async (until) => (await read(null, until)).bitmap,
    close: () => bitmap.close(),
  };
};

interface FrameSourceParts extends ImageReading {
  readonly readMeta: (frame: number) => Promise<FrameMeta | undefined>;
  /** Null if large images do not load as tiles. */
  readonly tiles: TiledFrames | null;
  readonly displayOf?: (frame: number) => Promise<string>;
}

/**
 * Frames of a job: the source file if the browser can read it, else the service's rendering, which is also used for
 * selected bands and values. Large images load as tiles if available. The size is the one that annotations refer to.
 */
export function createFrameSource(parts: FrameSourceParts): FrameSource {
  const { jobId, decoder, readMeta, tiles, inWindow, displayOf = () => Promise.resolve('') } = parts;
  return async (frame, signal) => {
    const meta = await readMeta(frame);
    if (meta === undefined) throw new Error(`Frame ${frame} is not part of this job.`);
    const display = await displayOf(frame);
    // The service cuts tiles, and renders bands and values.
    if (isTiled(meta) || display !== '') await inWindow?.sendNow(frame);
    if (tiles !== null && isTiled(meta)) return tiles.open(frame, meta, signal, display);
    const original = display === '' && native.test(meta.name) ? await readOriginal(parts, frame, meta, signal) : null;
    if (original !== null) return original;
    await inWindow?.sendNow(frame);
    const file = await fetchFrame(jobId, frame, 'compressed', signal, display);
    const { bitmap } = await decoder.decode(file, null, signal);
    if (isSameSize(bitmap, meta)) return bitmap;
    bitmap.close();
    return createImageBitmap(file, { resizeWidth: meta.width, resizeHeight: meta.height, resizeQuality: 'high' });
  };
}

/** Timestamps of a video's frames, requested once. A failed request is repeated. */
export function createVideoTimes(jobId: number, closed: AbortSignal): () => Promise<VideoTimes> {
  let times: Promise<VideoTimes> | null = null;
  const read = async (): Promise<VideoTimes> => {
    const answer = await send(`/api/limner/jobs/${jobId}/video-times`, { signal: closed });
    return (await answer.json()) as VideoTimes;
  };
  return () => {
    times ??= read().catch((error: unknown) => {
      times = null;
      throw error;
    });
    return times;
  };
}

/**
 * Decodes a video's frames from the file in this window. The service renders frames that the window cannot decode: an
 * unknown codec or a damaged frame.
 */
export function createVideoSource(
  jobId: number,
  service: FrameSource,
  readTimes: () => Promise<VideoTimes>,
  closed: AbortSignal,
): FrameSource {
  let reader: Promise<VideoReader | null> | null = null;
  async function open(): Promise<VideoReader | null> {
    const path = `/api/limner/jobs/${jobId}/video`;
    const [{ openVideo }, times] = await Promise.all([import('../../../../video/video-reader.ts'), readTimes()]);
    const opened = await openVideo(path, times, closed);
    if (closed.aborted) opened?.close();
    closed.addEventListener('abort', () => opened?.close(), { once: true });
    return opened;
  }
  return async (frame, signal) => {
    reader ??= open().catch(() => null);
    try {
      const picture = await (await reader)?.frame(frame, signal);
      if (picture) return picture;
    } catch (error) {
      if (signal.aborted || closed.aborted) throw error;
    }
    return service(frame, signal);
  };
}
