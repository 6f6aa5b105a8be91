import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Sharp } from 'sharp';
import { AppError } from '../platform/errors.ts';
import { decodeErrorsNamed, fromRgb, openForDisplay } from './decode.ts';
import { createMediaCache } from './media-cache.ts';
import { cacheDirectory, type MediaLocation, resolveMediaFile, type StoredFrame } from './media-location.ts';
import { defaultMaxPixels, probeImage } from './probe.ts';
import type { VideoReader } from './video.ts';

export interface FrameStoreOptions {
  readonly location: MediaLocation;
  readonly maxPixels?: number;
  /** Size to which thumbnails, compressed frames and chunks of this task may grow on disk. */
  readonly maxCacheBytes?: number;
  /** Needed for video frames only. */
  readonly videos?: VideoReader;
}

/** The file behind a frame, with what is needed to notice that it was replaced. */
export interface FrameFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** A frame as it came: a file to stream, or bytes where it had to be taken out of a video. */
export interface OriginalFrame {
  readonly path?: string;
  readonly bytes?: Buffer;
  readonly contentType: string;
  /** With its dot. */
  readonly extension: string;
}

/** Gives out a task's frames. All pictures are upright, with 8 bits a channel. */
export interface FrameStore {
  /** The frame's file on disk (of a video frame: the video). Fails with `not-found` when it is gone. */
  frameFile(frame: StoredFrame): Promise<FrameFile>;
  /** The file's own bytes; a PNG for a video frame. */
  originalFrame(frame: StoredFrame, signal?: AbortSignal): Promise<OriginalFrame>;
  /** A JPEG of `quality` 1–100, kept on disk. */
  compressedFrame(frame: StoredFrame, quality: number, signal?: AbortSignal): Promise<Buffer>;
  /** A JPEG whose longer side is at most `size` pixels, kept on disk. */
  thumbnail(frame: StoredFrame, size?: number, signal?: AbortSignal): Promise<Buffer>;
}

const defaultMaxCacheBytes = 2 * 1024 ** 3;
const defaultThumbnailSize = 256;
const thumbnailQuality = 80;

export function createFrameStore(options: FrameStoreOptions): FrameStore {
  const { location, videos } = options;
  const maxPixels = options.maxPixels ?? defaultMaxPixels;
  const cache = createMediaCache({
    directory: cacheDirectory(location),
    maxBytes: options.maxCacheBytes ?? defaultMaxCacheBytes,
  });

  const frameFile = (frame: StoredFrame): Promise<FrameFile> => statFrameFile(location, frame);

  const open = async (frame: StoredFrame, file: FrameFile, signal?: AbortSignal): Promise<Sharp> => {
    if (frame.videoFrame === undefined) return openForDisplay(file.path, { name: frame.path, maxPixels });
    return fromRgb(await needVideos(videos).frame(file.path, frame.videoFrame, signal));
  };
  const derived = async (
    frame: StoredFrame,
    kind: string,
    encode: (image: Sharp) => Sharp,
    signal?: AbortSignal,
  ): Promise<Buffer> => {
    const file = await frameFile(frame);
    return cache.bytes(`${kind}/${frameKey(frame, file)}.jpg`, () =>
      decodeErrorsNamed(frame.path, async () => encode(await open(frame, file, signal)).toBuffer()),
    );
  };

  return {
    frameFile,
    async originalFrame(frame, signal) {
      const { path } = await frameFile(frame);
      if (frame.videoFrame === undefined)
        return { path, contentType: await contentTypeOf(path), extension: extname(path) };
      const image = await fromRgb(await needVideos(videos).frame(path, frame.videoFrame, signal));
      return { bytes: await image.png().toBuffer(), contentType: 'image/png', extension: '.png' };
    },
    async compressedFrame(frame, quality, signal) {
      const checked = checkQuality(quality);
      return derived(frame, `frames/${checked}`, (image) => toJpeg(image, checked), signal);
    },
    thumbnail: (frame, size = defaultThumbnailSize, signal) =>
      derived(
        frame,
        `thumbnails/${size}`,
        (image) =>
          toJpeg(
            image.resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true }),
            thumbnailQuality,
          ),
        signal,
      ),
  };
}

/** Full colour resolution, because annotators look at single pixels. */
export function toJpeg(image: Sharp, quality: number): Sharp {
  return image.jpeg({ quality, chromaSubsampling: '4:4:4' });
}

/** Fails with `invalid` unless `quality` is a whole number from 1 to 100. */
export function checkQuality(quality: number): number {
  if (Number.isInteger(quality) && quality >= 1 && quality <= 100) return quality;
  throw new AppError('invalid', `The image quality is ${quality}; it must be a whole number from 1 to 100.`, {
    image_quality: ['Ensure this value is between 1 and 100.'],
  });
}

export function needVideos(videos: VideoReader | undefined): VideoReader {
  if (videos) return videos;
  throw new AppError(
    'unavailable',
    'This video needs ffmpeg, which was not found. Install ffmpeg or set its path in the settings.',
  );
}

export async function statFrameFile(location: MediaLocation, frame: StoredFrame): Promise<FrameFile> {
  const path = resolveMediaFile(location, frame.file);
  try {
    const found = await stat(path);
    return { path, sizeBytes: found.size, modifiedMs: found.mtimeMs };
  } catch (cause) {
    throw new AppError(
      'not-found',
      `The file of ${frame.path} cannot be found at ${path}. Its annotations are kept; put the file back to see it again.`,
      undefined,
      { cause },
    );
  }
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
