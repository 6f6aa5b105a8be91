import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { crc32 } from 'node:zlib';
import { createZipWriter, type ZipWriter } from '../formats/io/zip-writer.ts';
import { AppError } from '../platform/errors.ts';
import type { Encoding } from './encode-image.ts';
import { checkQuality, frameKey, type FrameStore } from './frame-store.ts';
import { loadSharp } from './load-sharp.ts';
import type { StoredFrame } from './media-location.ts';
import { storageError } from './storage-errors.ts';

/** A frame in a chunk. Its size is needed for the placeholder of a frame that cannot be decoded. */
export interface ChunkFrame extends StoredFrame {
  readonly width: number;
  readonly height: number;
}

export interface ChunkRequest {
  /** The frames of only this chunk, in order; null for a withheld frame, which is replaced by an image of one pixel. */
  readonly frames: readonly (ChunkFrame | null)[];
  /** A ZIP of images (default), or, for frames of a video, a video with as many frames. */
  readonly as?: 'imageset' | 'video';
  readonly quality: 'compressed' | 'original';
  /** JPEG quality 1–100 of compressed chunks. */
  readonly imageQuality: number;
  readonly signal?: AbortSignal | undefined;
}

const referencePixels = 1920 * 1080;
const referenceFrames = 36;

/**
 * Frames per chunk: 36 of Full HD size, more of smaller and fewer of larger images, within 2–72; 36 if the size is
 * unknown.
 */
export function defaultChunkSize(size?: { readonly width: number; readonly height: number }): number {
  if (!size || size.width * size.height <= 0) return referenceFrames;
  const frames = Math.floor((referenceFrames * referencePixels) / (size.width * size.height));
  return Math.min(72, Math.max(2, frames));
}

interface Filling {
  readonly request: ChunkRequest;
  readonly store: FrameStore;
  /** Signal of the chunk's creation, which continues while any caller waits for it. */
  readonly signal: AbortSignal;
  /** Frames that could not be decoded; a gray image of the same size replaces them. */
  readonly broken: { path: string; reason: string }[];
}

export function createChunks(store: FrameStore) {
  return {
    /**
     * Returns a run of frames as an MP4 with 25 frames per second, or as a ZIP. Created on demand and cached.
     * The ZIP has `000000.jpeg`… (compressed), or the source files under such numbers with their own extension (original).
     * Video frames are JPEGs of quality 100 in original chunks. Images with an EXIF rotation are encoded again, because
     * readers of chunks ignore EXIF.
     */
    async chunk(request: ChunkRequest) {
      checkQuality(request.imageQuality);
      const broken: Filling['broken'] = [];
      const key = await chunkKey(request, store);
      try {
        const path = await store.cache.file(
          `chunks/${key}`,
          (temporary, signal) => {
            const filling = { request, store, signal, broken };
            return request.as === 'video' ? writeVideoChunk(temporary, filling) : writeChunk(temporary, filling);
          },
          request.signal,
        );
        const contentType = request.as === 'video' ? 'video/mp4' : 'application/zip';
        return { path, contentType, ...(await measure(path)), broken };
      } catch (error) {
        throw storageError(
          error,
          'Cannot pack the frames for sending: the disk is full. Free some space and try again.',
        );
      }
    },
  };
}

async function chunkKey(
  { frames, as = 'imageset', quality, imageQuality }: ChunkRequest,
  store: FrameStore,
): Promise<string> {
  const kind = quality === 'original' ? 'original, upright, jpeg' : `${quality} ${imageQuality}`;
  const hash = createHash('sha256').update(kind);
  for (const frame of frames) hash.update(`\n${frame ? frameKey(frame, await store.stamp(frame)) : ''}`);
  return `${hash.digest('hex').slice(0, 40)}.${as === 'video' ? 'mp4' : 'zip'}`;
}

/** The file and the frames' indices in it; null if the chunk has only placeholders. */
async function videoOf({ request, store }: Filling): Promise<{ path: string; indices: (number | null)[] } | null> {
  const first = request.frames.find((frame) => frame !== null);
  if (!first) return null;
  const { path } = await store.frameFile(first);
  return { path, indices: request.frames.map((frame) => (frame === null ? null : (frame.videoFrame ?? 0))) };
}

const noFrames = () => new AppError('not-found', 'None of the frames of this chunk belongs to the job.');

async function writeVideoChunk(temporary: string, filling: Filling): Promise<void> {
  const { request, store, signal } = filling;
  const video = await videoOf(filling);
  if (!video) throw noFrames();
  const quality = request.quality === 'original' ? 100 : request.imageQuality;
  await (await store.videos()).writeVideo(video.path, video.indices, temporary, { quality, signal });
}

let standIn: Promise<Buffer> | undefined;
/** Replaces a withheld frame. */
const placeholder = (): Promise<Buffer> =>
  (standIn ??= loadSharp().then((sharp) =>
    sharp({ create: { width: 1, height: 1, channels: 3, background: '#000000' } })
      .jpeg()
      .toBuffer(),
  ));
const addPlaceholder =
  (bytes: Buffer): AddEntry =>
  (zip, number) =>
    zip.add(`${number}.jpeg`, bytes, { store: true });

async function writeChunk(temporary: string, filling: Filling): Promise<void> {
  const zip = await createZipWriter(temporary);
  try {
    let index = 0;
    for await (const add of entriesOf(filling)) {
      filling.signal.throwIfAborted();
      await add(zip, String(index).padStart(6, '0'));
      index += 1;
    }
    await zip.finish();
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

type AddEntry = (zip: ZipWriter, number: string) => Promise<void>;

async function* entriesOf(filling: Filling): AsyncGenerator<AddEntry> {
  const { request, store } = filling;
  const isOriginal = request.quality === 'original';
  if (request.frames.some((frame) => frame?.videoFrame !== undefined)) yield* videoEntries(filling);
  else if (isOriginal) {
    for (const frame of request.frames) {
      if (frame === null) {
        yield addPlaceholder(await placeholder());
        continue;
      }
      const { path } = await store.frameFile(frame);
      const extension = extname(frame.path).toLowerCase();
      const upright = await store.pictures.upright({ source: path, name: frame.path }, filling.signal);
      yield (zip, number) =>
        upright
          ? zip.add(`${number}${extension}`, upright, { store: true })
          : zip.addFile(`${number}${extension}`, path);
    }
  } else {
    for (const frame of request.frames) {
      const jpeg = frame === null ? await placeholder() : await compressedOrStandIn(frame, filling);
      yield (zip, number) => zip.add(`${number}.jpeg`, jpeg, { store: true });
    }
  }
}

/** Decoded frames of a video that are in memory, or being encoded. */
const encodedAtOnce = 2;

async function* videoEntries(filling: Filling): AsyncGenerator<AddEntry> {
  const { request, store, signal } = filling;
  const video = await videoOf(filling);
  if (!video) return;
  const quality = request.quality === 'original' ? 100 : request.imageQuality;
  const encoding: Encoding = { format: 'jpeg', quality };
  const add =
    (bytes: Buffer): AddEntry =>
    (zip, number) =>
      zip.add(`${number}.jpeg`, bytes, { store: true });
  // Encodes some frames while the next one is decoded, with the decoder that the previous chunk may have left open.
  const coming: Promise<Buffer>[] = [];
  try {
    for (const index of video.indices) {
      if (index === null) {
        for (const one of coming.splice(0)) yield add(await one);
        yield addPlaceholder(await placeholder());
        continue;
      }
      const last = store.videoFrame(video.path, index, encoding, signal);
      // Handled below; until then a rejection must not count as unhandled.
      last.catch(() => undefined);
      coming.push(last);
      const first = coming.length > encodedAtOnce ? coming.shift() : undefined;
      if (first) yield add(await first);
    }
    for (const one of coming) yield add(await one);
  } finally {
    // If the loop ends with its own error, no one awaits these.
    await Promise.allSettled(coming);
  }
}

/** A damaged image must not fail its chunk, and the numbers of the other images must stay correct. */
async function compressedOrStandIn(frame: ChunkFrame, { request, store, signal, broken }: Filling): Promise<Buffer> {
  try {
    return await store.compressedFrame(frame, request.imageQuality, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    broken.push({ path: frame.path, reason: error.message });
    const { width, height } = frame;
    const sharp = await loadSharp();
    return sharp({ create: { width, height, channels: 3, background: '#808080' } })
      .jpeg({ quality: 50 })
      .toBuffer();
  }
}

async function measure(path: string): Promise<{ sizeBytes: number; checksum: string }> {
  let checksum = 0;
  let sizeBytes = 0;
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    // Node types a binary stream's chunks as any.
    const bytes = part as Buffer;
    checksum = crc32(bytes, checksum);
    sizeBytes += bytes.length;
  }
  return { sizeBytes, checksum: checksum.toString(16).padStart(8, '0') };
}
