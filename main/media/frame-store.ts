import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { decodeErrorsNamed, fromRgb } from './decode.ts';
import { createDecodeBudget } from './decode-budget.ts';
import { createPictureEncoder, encoded, type Encoding, type PictureEncoder } from './encode-picture.ts';
import { createMediaCache } from './media-cache.ts';
import { type FrameFile, statFrameFile } from './frame-file.ts';
import { cacheDirectory, type MediaLocation, type StoredFrame } from './media-location.ts';
import { defaultMaxPixels, probeImage } from './probe.ts';
import type { VideoReader } from './video/video.ts';

export interface FrameStoreOptions {
  readonly location: MediaLocation;
  readonly maxPixels?: number;
  /** Size to which thumbnails, compressed frames and chunks of this task may grow on disk. */
  readonly maxCacheBytes?: number;
  /** Needed for video frames only; undefined where there is no ffmpeg. */
  readonly videos?: () => Promise<VideoReader | undefined>;
  /** Without it one of this store's own. */
  readonly pictures?: PictureEncoder;
}

/** A frame as it came: a file to stream, or bytes where it had to be taken out of a video. */
export interface OriginalFrame {
  readonly path?: string;
  readonly bytes?: Buffer;
  readonly contentType: string;
  /** With its dot. */
  readonly extension: string;
}

export type FrameStore = ReturnType<typeof createFrameStore>;

export const defaultMaxCacheBytes = 2 * 1024 ** 3;
const defaultThumbnailSize = 256;
const thumbnailQuality = 80;

/** Gives out a task's frames. All pictures are upright, with 8 bits a channel. */
export function createFrameStore(options: FrameStoreOptions) {
  const { location, maxPixels = defaultMaxPixels } = options;
  const pictures = options.pictures ?? createPictureEncoder({ budget: createDecodeBudget() });
  const cache = createMediaCache({
    directory: cacheDirectory(location),
    maxBytes: options.maxCacheBytes ?? defaultMaxCacheBytes,
  });

  const frameFile = (frame: StoredFrame): Promise<FrameFile> => statFrameFile(location, frame);
  const videos = async (): Promise<VideoReader> => needVideos(await options.videos?.());

  async function videoFrame(path: string, frame: number, encoding: Encoding, signal?: AbortSignal): Promise<Buffer> {
    const reader = await videos();
    const { width, height } = await reader.probe(path, { name: path, signal });
    return pictures.budget.run(
      width * height * 3,
      async () => encoded(await fromRgb(await reader.frame(path, frame, signal)), encoding).toBuffer(),
      signal,
    );
  }

  const encode = (frame: StoredFrame, file: FrameFile, encoding: Encoding, signal?: AbortSignal): Promise<Buffer> =>
    decodeErrorsNamed(frame.path, () =>
      frame.videoFrame === undefined
        ? pictures.encode({ source: file.path, name: frame.path, maxPixels, encoding }, signal)
        : videoFrame(file.path, frame.videoFrame, encoding, signal),
    );

  async function kept(frame: StoredFrame, folder: string, encoding: Encoding, signal?: AbortSignal): Promise<Buffer> {
    const file = await frameFile(frame);
    const extension = encoding.format === 'jpeg' ? 'jpg' : encoding.format;
    return cache.bytes(
      `${folder}/${frameKey(frame, file)}.${extension}`,
      (ended) => encode(frame, file, encoding, ended),
      signal,
    );
  }

  return {
    location,
    /** What was made of the frames; the folder of this task. */
    cache,
    pictures,
    /** Fails with `unavailable` where there is no ffmpeg. */
    videos,
    /** The frame's file on disk (of a video frame: the video). Fails with `not-found` when it is gone. */
    frameFile,
    /** The file's own bytes; a PNG for a video frame, kept on disk. */
    async originalFrame(frame: StoredFrame, signal?: AbortSignal): Promise<OriginalFrame> {
      if (frame.videoFrame === undefined) {
        const { path } = await frameFile(frame);
        return { path, contentType: await contentTypeOf(path), extension: extname(path) };
      }
      const bytes = await kept(frame, 'originals', { format: 'png' }, signal);
      return { bytes, contentType: 'image/png', extension: '.png' };
    },
    /** A JPEG of quality 1–100, kept on disk. */
    async compressedFrame(frame: StoredFrame, wanted: number, signal?: AbortSignal) {
      const quality = checkQuality(wanted);
      return kept(frame, `frames/${quality}`, { format: 'jpeg', quality }, signal);
    },
    /** A JPEG whose longer side is at most `size` pixels, kept on disk. */
    thumbnail: (frame: StoredFrame, size = defaultThumbnailSize, signal?: AbortSignal) =>
      kept(frame, `thumbnails/${size}`, { format: 'jpeg', quality: thumbnailQuality, size }, signal),
    /** Encoded for one use and not kept: for functions, which want regions and formats of their own. */
    async encodedFrame(frame: StoredFrame, encoding: Encoding, signal?: AbortSignal) {
      return encode(frame, await frameFile(frame), encoding, signal);
    },
  };
}

/** Fails with `invalid` unless `quality` is a whole number from 1 to 100. */
export function checkQuality(quality: number): number {
  if (Number.isInteger(quality) && quality >= 1 && quality <= 100) return quality;
  throw new AppError('invalid', `The image quality is ${quality}; it must be a whole number from 1 to 100.`, {
    image_quality: ['Ensure this value is between 1 and 100.'],
  });
}

function needVideos(videos: VideoReader | undefined): VideoReader {
  if (videos) return videos;
  throw new AppError(
    'unavailable',
    'This video needs ffmpeg, which was not found. Install ffmpeg or set its path in the settings.',
  );
}

/** Differs for every content: a file that is replaced in place gets new thumbnails. Sharded by two digits. */
export function frameKey(frame: StoredFrame, file: FrameFile): string {
  const identity = [frame.file, frame.videoFrame ?? '', file.sizeBytes, file.modifiedMs].join('\0');
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 40);
  return `${digest.slice(0, 2)}/${digest.slice(2)}`;
}

async function contentTypeOf(path: string): Promise<string> {
  const probe = await probeImage(path, { maxPixels: Infinity }).catch(() => undefined);
  return probe ? `image/${probe.format}` : 'application/octet-stream';
}
