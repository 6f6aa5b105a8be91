import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ImageTiles, VideoTimes } from '../../preload/contract/schema/resources.ts';
import { createZipWriter } from '../formats/io/zip-writer.ts';
import { notFound } from '../platform/errors.ts';
import type { ChunkFrame } from './chunks.ts';
import { type Display, type DisplayFacts, displayFacts } from './display.ts';
import type { FrameFile } from './frame-file.ts';
import type { TaskFrames } from './media-frames.ts';
import type { TilePlace } from './tiles/tile-file.ts';
import { imageFor, type ImageRequest } from './image-for.ts';
import { probeImage } from './probe.ts';

export interface KnownFrame extends ChunkFrame {
  /** Related images: paths below `raw/`, or absolute paths if the location allows them. */
  readonly related: readonly string[];
}

export interface FrameSource {
  readonly first: number;
  readonly last: number;
  /** The frames in between, in order, if not all of them belong to it. */
  readonly included: readonly number[] | null;
  readonly chunkSize: number;
  readonly imageQuality: number;
  readonly chunksAs?: Readonly<Record<FrameQuality, 'imageset' | 'video'>>;
  /** Throws `not-found` if the number does not belong to it. */
  frame(number: number): KnownFrame;
  frames(first: number, last: number): KnownFrame[];
}

export type FrameQuality = 'compressed' | 'original';

/** Bytes in memory, or a file too large for memory; `etag` differs for every content. */
export type MediaContent =
  | { readonly contentType: string; readonly bytes: Buffer }
  | {
      readonly contentType: string;
      readonly path: string;
      readonly sizeBytes: number;
      readonly etag: string;
      /** CRC-32 as eight hexadecimal digits, if known. */
      readonly checksum?: string;
    };

export type RangeFrames = ReturnType<typeof createRangeFrames>;

/** Larger sources (scans) are streamed without a checksum, which would need a second read. */
const maxBufferedBytes = 64 * 1024 * 1024;
const thumbnailPixels = 256;

export function createRangeFrames(store: TaskFrames, source: FrameSource) {
  /** The API allows quality 0; the encoder's minimum is 1. */
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
    if (frame.videoFrame === undefined) throw notFound('This is not a video.');
    return frame;
  }

  /**
   * Chunks by task frame numbers. A job gets the entire chunk, so that numbers stay correct, with null for frames
   * outside the job.
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

  /** Chunks by position in the range, whose frames need not be consecutive. */
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
    /** A ZIP of frames. @param counted start of chunk 0: the task, or this range */
    async chunk(
      number: number,
      counted: 'task' | 'range',
      quality: FrameQuality,
      signal?: AbortSignal,
    ): Promise<MediaContent> {
      const start = number * source.chunkSize;
      const frames = counted === 'task' ? chunkOfTask(start) : chunkOfRange(start);
      if (frames.length === 0) throw notFound(`Chunk ${number} does not exist here.`);
      const as = source.chunksAs?.[quality] ?? 'imageset';
      const chunk = await store.chunk({ frames, as, quality, imageQuality, signal });
      const { contentType, path, sizeBytes, checksum } = chunk;
      return { contentType, path, sizeBytes, etag: checksum, checksum };
    },
    /** The video file, for callers that decode it themselves. */
    async video(): Promise<MediaContent> {
      const file = await store.frameFile(videoFrame());
      const { path, sizeBytes } = file;
      return { contentType: 'application/octet-stream', path, sizeBytes, etag: etagOf(file) };
    },
    /** Times at which the frames from the first to the last are displayed, and the keyframes among them. */
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
    async context(number: number): Promise<MediaContent> {
      const { related } = source.frame(number);
      if (related.length === 0) throw notFound(`Frame ${number} has no related images.`);
      return { contentType: 'application/zip', bytes: await zipOf(store, related) };
    },
    /** Placeholder of a large frame until its tiles are loaded. */
    async overview(number: number, signal?: AbortSignal, display?: Display): Promise<MediaContent> {
      return { contentType: 'image/jpeg', bytes: await store.overview(source.frame(number), signal, display) };
    },
    /** Bands and values that can be chosen for a frame's image. Video frames have none. */
    async displayFacts(number: number): Promise<DisplayFacts> {
      const frame = source.frame(number);
      if (frame.videoFrame !== undefined) return { bands: 1, bits: 8, kind: 'unsigned', shown: [0], hasWindow: false };
      const { path } = await store.frameFile(frame);
      return displayFacts(await probeImage(path, { name: frame.path }));
    },
    tiles: (number: number, signal?: AbortSignal, display?: Display): Promise<ImageTiles> =>
      store.tiles(source.frame(number), signal, display),
    async tile(number: number, place: TilePlace, signal?: AbortSignal, display?: Display): Promise<MediaContent> {
      return { contentType: 'image/jpeg', bytes: await store.tile(source.frame(number), place, signal, display) };
    },
    preview: (signal?: AbortSignal): Promise<MediaContent> => thumbnail(source.included?.[0] ?? source.first, signal),
    thumbnail,
    picture: (number: number, wish: ImageRequest, signal?: AbortSignal): Promise<Buffer> =>
      imageFor(store, source.frame(number), wish, signal),
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
