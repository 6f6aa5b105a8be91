import { createHash } from 'node:crypto';
import { extname, isAbsolute } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { decodeErrorsNamed } from './decode.ts';
import { type Display, displayKey } from './display.ts';
import { createDecodeBudget } from './decode-budget.ts';
import { createImageEncoder, type Encoding, type ImageEncoder } from './encode-image.ts';
import { createMediaCache } from './media-cache.ts';
import { type FrameFile, statFrameFile } from './frame-file.ts';
import { objectStamp } from './object-files.ts';
import { cacheDirectory, type MediaLocation, type StoredFrame } from './media-location.ts';
import { probeImage, toProbeError } from './probe.ts';
import { encodeFrame, encodePixels } from './video/encode-frame.ts';
import { toolsMissing } from './video/ffmpeg.ts';
import { createFramesAhead } from './video/prefetch-frames.ts';
import { createFramesBehind, type FrameSeries } from './video/reverse-frames.ts';
import type { VideoReader } from './video/video.ts';

export interface FrameStoreOptions {
  readonly location: MediaLocation;
  /** Maximum size on disk of the thumbnails, compressed frames and chunks of this task. */
  readonly maxCacheBytes?: number;
  /** Needed only for video frames; undefined if ffmpeg is missing. */
  readonly videos?: () => Promise<VideoReader | undefined>;
  /** Encodes frames of a video, in a separate thread if available. */
  readonly encodeFrame?: (path: string, frame: number, encoding: Encoding, signal?: AbortSignal) => Promise<Buffer>;
  /** Default: a new encoder for this store. */
  readonly pictures?: ImageEncoder;
}

/** The unchanged frame: a file to stream, or bytes if it was extracted from a video. */
export interface OriginalFrame {
  readonly path?: string;
  readonly bytes?: Buffer;
  readonly contentType: string;
  readonly extension: string;
}

export type FrameStore = ReturnType<typeof createFrameStore>;

export const defaultMaxCacheBytes = 2 * 1024 ** 3;
const defaultThumbnailSize = 256;
const thumbnailQuality = 80;

/** Provides a task's frames. All images are upright, with 8 bits per channel. */
export function createFrameStore(options: FrameStoreOptions) {
  const { location } = options;
  const pictures = options.pictures ?? createImageEncoder({ budget: createDecodeBudget() });
  const cache = createMediaCache({
    directory: cacheDirectory(location),
    maxBytes: options.maxCacheBytes ?? defaultMaxCacheBytes,
  });

  const frameFile = (frame: StoredFrame): Promise<FrameFile> => statFrameFile(location, frame);
  const videos = async (): Promise<VideoReader> => {
    const reader = await options.videos?.();
    if (reader) return reader;
    throw await toolsMissing(
      'This is a frame of a video',
      'and open it again. The video and all annotations are kept.',
    );
  };

  async function videoFrame(path: string, frame: number, encoding: Encoding, signal?: AbortSignal): Promise<Buffer> {
    const reader = await videos();
    const { width, height } = await reader.probe(path, { name: path, signal });
    return pictures.budget.run(
      width * height * 3,
      () =>
        options.encodeFrame?.(path, frame, encoding, signal) ??
        encodeFrame(reader, { file: path, frameIndex: frame, encoding }, signal),
      signal,
    );
  }

  const behind = createFramesBehind();

  /** A frame for a user who steps backwards through a video; undefined for all others. */
  async function frameBehind(frame: StoredFrame, quality: number, signal?: AbortSignal): Promise<Buffer | undefined> {
    if (frame.videoFrame === undefined) return undefined;
    // Located only on a step backwards.
    let file: Promise<FrameFile> | undefined;
    const located = (): Promise<FrameFile> => (file ??= frameFile(frame));
    const keyOf = async (videoFrame: number): Promise<string> =>
      keptKey({ ...frame, videoFrame }, await located(), `frames/${quality}`, 'jpeg');
    const series: FrameSeries = {
      id: `${quality}\0${frame.file}`,
      decode: async function* (frames, ended) {
        const { path } = await located();
        yield* (await videos()).frames(path, frames, ended);
      },
      keep: async (videoFrame, pixels, ended) =>
        cache.bytes(
          await keyOf(videoFrame),
          (given) =>
            pictures.budget.run(pixels.data.length, () => encodePixels(pixels, { format: 'jpeg', quality }), given),
          ended,
        ),
      isKept: async (videoFrame) => cache.has(await keyOf(videoFrame)),
    };
    return behind.frame(series, frame.videoFrame, signal);
  }

  const encode = (frame: StoredFrame, file: FrameFile, encoding: Encoding, signal?: AbortSignal): Promise<Buffer> =>
    decodeErrorsNamed(frame.path, () =>
      frame.videoFrame === undefined
        ? pictures.encode({ source: file.path, name: frame.path, encoding }, signal)
        : videoFrame(file.path, frame.videoFrame, encoding, signal),
    );

  async function kept(
    frame: StoredFrame,
    folder: string,
    encoding: Encoding,
    signal?: AbortSignal,
    located?: Promise<FrameFile>,
  ): Promise<Buffer> {
    let found = located;
    const file = (): Promise<FrameFile> => (found ??= frameFile(frame));
    const key = keptKey(frame, await stampOf(frame, file), folder, encoding.format);
    return cache.bytes(key, async (ended) => encode(frame, await file(), encoding, ended), signal);
  }

  const ahead = createFramesAhead();

  /** Like {@link kept}, and starts encoding the next frames for a user who steps through a video. */
  function keptInOrder(frame: StoredFrame, folder: string, encoding: Encoding, signal?: AbortSignal): Promise<Buffer> {
    const located = frameFile(frame);
    const content = kept(frame, folder, encoding, signal, located);
    if (frame.videoFrame === undefined) return content;
    for (const videoFrame of ahead.after(`${folder}\0${frame.file}`, frame.videoFrame)) {
      // There is no frame after the last one. Other errors are reported when the frame itself is requested.
      kept({ ...frame, videoFrame }, folder, encoding, undefined, located).catch(() => undefined);
    }
    return content;
  }

  return {
    location,
    cache,
    pictures,
    /** Throws `unavailable` if ffmpeg is missing. */
    videos,
    /** A frame of a video file by its index, encoded but not cached. */
    videoFrame,
    /** The frame's file on disk (for a video frame: the video). Throws `not-found` if it is missing. */
    frameFile,
    /** Properties for cache keys. Those of an object of a bucket are known without reading it. */
    stamp: (frame: StoredFrame): Promise<FrameStamp> => stampOf(frame, () => frameFile(frame)),
    /** The file's own bytes; for a video frame a PNG, cached on disk. */
    async originalFrame(frame: StoredFrame, signal?: AbortSignal): Promise<OriginalFrame> {
      if (frame.videoFrame === undefined) {
        const { path } = await frameFile(frame);
        return { path, contentType: await contentTypeOf(path, frame), extension: extname(path) };
      }
      const bytes = await keptInOrder(frame, 'originals', { format: 'png' }, signal);
      return { bytes, contentType: 'image/png', extension: '.png' };
    },
    /** A JPEG of quality 1–100, cached on disk. */
    async compressedFrame(frame: StoredFrame, wanted: number, signal?: AbortSignal, display?: Display) {
      const quality = checkQuality(wanted);
      const key = displayKey(display);
      if (key !== '') return kept(frame, `frames/${quality}-${key}`, { format: 'jpeg', quality, display }, signal);
      const made = await frameBehind(frame, quality, signal);
      return made ?? keptInOrder(frame, `frames/${quality}`, { format: 'jpeg', quality }, signal);
    },
    /** A JPEG whose longer side is at most `size` pixels, cached on disk. */
    thumbnail: (frame: StoredFrame, size = defaultThumbnailSize, signal?: AbortSignal, display?: Display) =>
      kept(
        frame,
        ['thumbnails', [String(size), displayKey(display)].filter((part) => part !== '').join('-')].join('/'),
        { format: 'jpeg', quality: thumbnailQuality, size, display },
        signal,
      ),
    /** Encoded for one use and not cached: for functions, which need their own regions and formats. */
    async encodedFrame(frame: StoredFrame, encoding: Encoding, signal?: AbortSignal) {
      return encode(frame, await frameFile(frame), encoding, signal);
    },
    async close(): Promise<void> {
      await behind.close();
      await cache.close();
    },
  };
}

/** Throws `invalid` unless `quality` is an integer from 1 to 100. */
export function checkQuality(quality: number): number {
  if (Number.isInteger(quality) && quality >= 1 && quality <= 100) return quality;
  throw new AppError('invalid', `The image quality is ${quality}; it must be an integer from 1 to 100.`, {
    image_quality: ['Ensure this value is between 1 and 100.'],
  });
}

type FrameStamp = Omit<FrameFile, 'path'>;

const stampOf = async (frame: StoredFrame, file: () => Promise<FrameFile>): Promise<FrameStamp> =>
  frame.object ? objectStamp(frame.object) : file();

function keptKey(frame: StoredFrame, file: FrameStamp, folder: string, format: Encoding['format']): string {
  return `${folder}/${frameKey(frame, file)}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** Cache key by content: a file that is replaced in place gets new thumbnails. Sharded by two digits. */
export function frameKey(frame: StoredFrame, file: FrameStamp): string {
  const identity = [frame.file, frame.videoFrame ?? '', file.sizeBytes, file.modifiedMs].join('\0');
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 40);
  return `${digest.slice(0, 2)}/${digest.slice(2)}`;
}

async function contentTypeOf(path: string, frame: StoredFrame): Promise<string> {
  const probe = await probeImage(path, { name: frame.path, maxPixels: Infinity }).catch((error: unknown) => {
    // The disk of an image that is used in place is not the one with the data directory.
    if (isAbsolute(frame.file) && codeOf(error) === 'EIO') throw toProbeError(error, frame.path);
    return undefined;
  });
  return probe ? `image/${probe.format}` : 'application/octet-stream';
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error
    ? Reflect.get(error, 'code') === 'invalid'
      ? codeOf(error.cause)
      : Reflect.get(error, 'code')
    : null;
