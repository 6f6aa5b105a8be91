import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { PictureTiles, VideoTimes } from '../../preload/contract/schema/resources.ts';
import { createZipWriter } from '../formats/io/zip-writer.ts';
import { notFound } from '../platform/errors.ts';
import type { ChunkFrame } from './chunks.ts';
import { type Display, type DisplayFacts, displayFacts } from './display.ts';
import type { FrameFile } from './frame-file.ts';
import type { TaskFrames } from './media-frames.ts';
import type { TilePlace } from './tiles/tile-file.ts';
import { pictureFor, type PictureWish } from './picture-for.ts';
import { probeImage } from './probe.ts';

/** A frame with all that is known of it. */
export interface KnownFrame extends ChunkFrame {
  /** Files of images that show the same: below `raw/`, or absolute paths where the location allows them. */
  readonly related: readonly string[];
}

/** Which frames a task or a job has. */
export interface FrameSource {
  readonly first: number;
  readonly last: number;
  /** The frames in between, in order, where not all of them belong to it. */
  readonly included: readonly number[] | null;
  /** Frames a chunk. */
  readonly chunkSize: number;
  /** JPEG quality of what is compressed. */
  readonly imageQuality: number;
  /** What chunks are: ZIPs of pictures, or videos. */
  readonly chunksAs?: Readonly<Record<FrameQuality, 'imageset' | 'video'>>;
  /** Fails with `not-found` where the number does not belong to it. */
  frame(number: number): KnownFrame;
  frames(first: number, last: number): KnownFrame[];
}

export type FrameQuality = 'compressed' | 'original';

/** Bytes in memory, or a file that is too large to be held there; `etag` differs for every content. */
export type MediaContent =
  | { readonly contentType: string; readonly bytes: Buffer }
  | {
      readonly contentType: string;
      readonly path: string;
      readonly sizeBytes: number;
      readonly etag: string;
      /** CRC-32 as eight hexadecimal digits, where it is known. */
      readonly checksum?: string;
    };

export type RangeFrames = ReturnType<typeof createRangeFrames>;

/** Larger sources (scans) are streamed; their checksum would cost reading them twice. */
const maxBufferedBytes = 64 * 1024 * 1024;
const thumbnailPixels = 256;

/** The frames of a task or job, by their numbers, as everybody asks for them. */
export function createRangeFrames(store: TaskFrames, source: FrameSource) {
  /** Quality 0, which the API allows, is the encoder's lowest. */
  const imageQuality = Math.max(1, source.imageQuality);

  async function original(number: number, signal?: AbortSignal): Promise<MediaContent> {
    const frame = source.frame(number);
    const { path, bytes, contentType } = await store.originalFrame(frame, signal);
    if (bytes) return { contentType, bytes };
    const file = await store.frameFile(frame);
    const { sizeBytes } = file;
    if (path === undefined || sizeBytes > maxBufferedBytes) {
      return { contentType, path: path ?? '', sizeBytes, etag: etagOf(file) };
    }
    return { contentType, bytes: await readFile(path) };
  }

  function videoFrame(): KnownFrame {
    const frame = source.frame(source.first);
    if (frame.videoFrame === undefined) throw notFound('This is no video.');
    return frame;
  }

  /**
   * Chunks of a task count its frames, and a job has the part of one that its frames lie in: all of them, so that their
   * numbers stay right, with null for those that are not the job's.
   */
  function chunkOfTask(start: number): (KnownFrame | null)[] {
    const [first, last] = [Math.max(start, source.first), Math.min(start + source.chunkSize - 1, source.last)];
    if (first > last) return [];
    const frames = source.frames(first, last);
    if (source.included === null) return frames;
    const numbers = source.included.filter((number) => number >= first && number <= last);
    const byNumber = new Map(numbers.map((number, index) => [number, frames[index]]));
    return Array.from({ length: last - first + 1 }, (_, index) => byNumber.get(first + index) ?? null);
  }

  /** Chunks of a range count its own frames, which need not follow each other. */
  function chunkOfRange(start: number): (KnownFrame | null)[] {
    const { included, first, chunkSize } = source;
    if (included === null) return chunkOfTask(first + start);
    const numbers = included.slice(start, start + chunkSize);
    const [from, to] = [numbers[0], numbers.at(-1)];
    return from === undefined || to === undefined ? [] : source.frames(from, to);
  }

  async function thumbnail(number: number, signal?: AbortSignal): Promise<MediaContent> {
    const bytes = await store.thumbnail(source.frame(number), thumbnailPixels, signal);
    return { contentType: 'image/jpeg', bytes };
  }

  return {
    /** @param display of a compressed frame; an original is as it is */
    async frame(number: number, quality: FrameQuality, signal?: AbortSignal, display?: Display): Promise<MediaContent> {
      if (quality === 'original') return original(number, signal);
      const bytes = await store.compressedFrame(source.frame(number), imageQuality, signal, display);
      return { contentType: 'image/jpeg', bytes };
    },
    /** A ZIP of frames. @param counted where chunk 0 begins: with the task, or with this range */
    async chunk(
      number: number,
      counted: 'task' | 'range',
      quality: FrameQuality,
      signal?: AbortSignal,
    ): Promise<MediaContent> {
      const start = number * source.chunkSize;
      const frames = counted === 'task' ? chunkOfTask(start) : chunkOfRange(start);
      if (frames.length === 0) throw notFound(`There is no chunk ${number} here.`);
      const as = source.chunksAs?.[quality] ?? 'imageset';
      const chunk = await store.chunk({ frames, as, quality, imageQuality, ...(signal ? { signal } : {}) });
      const { contentType, path, sizeBytes, checksum } = chunk;
      return { contentType, path, sizeBytes, etag: checksum, checksum };
    },
    /** The file of a video, for who decodes it himself. */
    async video(): Promise<MediaContent> {
      const file = await store.frameFile(videoFrame());
      const { path, sizeBytes } = file;
      return { contentType: 'application/octet-stream', path, sizeBytes, etag: etagOf(file) };
    },
    /** When in the video each frame from the first to the last is shown, and which of them are its keyframes. */
    async videoTimes(signal?: AbortSignal): Promise<VideoTimes> {
      const { path } = await store.frameFile(videoFrame());
      const times = await (await store.videos()).times(path, signal);
      const keys = new Set(times.keyframes);
      const frames = source.frames(source.first, source.last);
      return {
        first: source.first,
        seconds: frames.map(({ videoFrame: frame = -1 }) => times.seconds[frame] ?? null),
        keyframes: frames.flatMap(({ videoFrame: frame = -1 }, index) =>
          keys.has(frame) ? [source.first + index] : [],
        ),
        tolerance: times.tolerance,
      };
    },
    /** Related images of a frame as a ZIP. */
    async context(number: number): Promise<MediaContent> {
      const { related } = source.frame(number);
      if (related.length === 0) throw notFound(`Frame ${number} has no related images.`);
      return { contentType: 'application/zip', bytes: await zipOf(store, related) };
    },
    /** What is seen of a large frame before its tiles are there. */
    async overview(number: number, signal?: AbortSignal, display?: Display): Promise<MediaContent> {
      return { contentType: 'image/jpeg', bytes: await store.overview(source.frame(number), signal, display) };
    },
    /** Which bands and values of a frame's image can be chosen. A frame of a video has none. */
    async displayFacts(number: number): Promise<DisplayFacts> {
      const frame = source.frame(number);
      if (frame.videoFrame !== undefined) return { bands: 1, bits: 8, kind: 'unsigned', shown: [0], hasWindow: false };
      const { path } = await store.frameFile(frame);
      return displayFacts(await probeImage(path, { name: frame.path }));
    },
    /** Makes a frame's tiles where they are not kept. */
    tiles: (number: number, signal?: AbortSignal, display?: Display): Promise<PictureTiles> =>
      store.tiles(source.frame(number), signal, display),
    async tile(number: number, place: TilePlace, signal?: AbortSignal, display?: Display): Promise<MediaContent> {
      return { contentType: 'image/jpeg', bytes: await store.tile(source.frame(number), place, signal, display) };
    },
    /** A small picture of the first frame. */
    preview: (signal?: AbortSignal): Promise<MediaContent> => thumbnail(source.included?.[0] ?? source.first, signal),
    /** A small picture of a frame. */
    thumbnail,
    /** For a program. */
    picture: (number: number, wish: PictureWish, signal?: AbortSignal): Promise<Buffer> =>
      pictureFor(store, source.frame(number), wish, signal),
  };
}

const etagOf = ({ sizeBytes, modifiedMs }: FrameFile): string =>
  `${sizeBytes.toString(36)}-${Math.trunc(modifiedMs).toString(36)}`;

async function zipOf(store: TaskFrames, files: readonly string[]): Promise<Buffer> {
  const folder = join(tmpdir(), `limner-context-${randomUUID()}`);
  const archive = join(folder, 'context.zip');
  await mkdir(folder, { mode: 0o700 });
  try {
    const zip = await createZipWriter(archive);
    try {
      for (const [index, file] of files.entries()) {
        const { path } = await store.frameFile({ path: file, file });
        const name = basename(file);
        const isAlone = files.filter((other) => basename(other) === name).length === 1;
        await zip.addFile(isAlone ? name : `${String(index).padStart(3, '0')}-${name}`, path);
      }
      await zip.finish();
    } finally {
      await zip.abort();
    }
    return await readFile(archive);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
