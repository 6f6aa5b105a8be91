import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { crc32 } from 'node:zlib';
import { createZipWriter, type ZipWriter } from '../formats/io/zip-writer.ts';
import { AppError } from '../platform/errors.ts';
import type { Encoding } from './encode-picture.ts';
import { checkQuality, frameKey, type FrameStore } from './frame-store.ts';
import { loadSharp } from './load-sharp.ts';
import type { StoredFrame } from './media-location.ts';
import { storageError } from './storage-errors.ts';

/** A frame in a chunk: its size is needed for the stand-in of a frame that cannot be decoded. */
export interface ChunkFrame extends StoredFrame {
  readonly width: number;
  readonly height: number;
}

export interface ChunkRequest {
  /** The frames of this chunk only, in order; null: one that is not given out, for which a picture of one pixel stands. */
  readonly frames: readonly (ChunkFrame | null)[];
  /** A ZIP of pictures (without it), or, of a video's frames, a video of their number. */
  readonly as?: 'imageset' | 'video';
  readonly quality: 'compressed' | 'original';
  /** JPEG quality 1–100 of compressed chunks. */
  readonly imageQuality: number;
  readonly signal?: AbortSignal;
}

const referencePixels = 1920 * 1080;
const referenceFrames = 36;

/** Frames a chunk: 36 of Full HD size, more of smaller and fewer of larger images, within 2–72; 36 where no size is known. */
export function defaultChunkSize(size?: { readonly width: number; readonly height: number }): number {
  if (!size || size.width * size.height <= 0) return referenceFrames;
  const frames = Math.floor((referenceFrames * referencePixels) / (size.width * size.height));
  return Math.min(72, Math.max(2, frames));
}

interface Filling {
  readonly request: ChunkRequest;
  readonly store: FrameStore;
  /** Of the production, which goes on while anybody waits for it. */
  readonly signal: AbortSignal;
  /** Frames that could not be decoded now: a gray picture of their size stands in for them. */
  readonly broken: { path: string; reason: string }[];
}

export function createChunks(store: FrameStore) {
  return {
    /**
     * A run of frames as an MP4 of 25 frames a second, or as a ZIP: `000000.jpeg`… (compressed) or the source files under such numbers with their own
     * extension (original; JPEG of quality 100 for video frames, encoded again where EXIF says that they are to be turned:
     * who reads a chunk takes its pixels as they are). Made on demand and kept in the task's cache.
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
          'The disk is full, so the frames could not be packed for sending. Nothing was lost; free some space and try again.',
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
  for (const frame of frames) hash.update(`\n${frame ? frameKey(frame, await store.frameFile(frame)) : ''}`);
  return `${hash.digest('hex').slice(0, 40)}.${as === 'video' ? 'mp4' : 'zip'}`;
}

/** The file and the frames' indices in it; null where the chunk has nothing but stand-ins. */
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
/** In the place of a frame that is not given out. */
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

/** Puts one frame into the archive under a number. */
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

/** Decoded frames of a video that wait in memory, or are being encoded. */
const encodedAtOnce = 2;

/** All frames in one run of the decoder. */
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
  // Some are encoded while the next one is decoded, by the decoder that the chunk before may have left.
  const coming: Promise<Buffer>[] = [];
  try {
    for (const index of video.indices) {
      if (index === null) {
        for (const one of coming.splice(0)) yield add(await one);
        yield addPlaceholder(await placeholder());
        continue;
      }
      const last = store.videoFrame(video.path, index, encoding, signal);
      // Looked at below; meanwhile a failure must not count as one that nobody handles.
      last.catch(() => undefined);
      coming.push(last);
      const first = coming.length > encodedAtOnce ? coming.shift() : undefined;
      if (first) yield add(await first);
    }
    for (const one of coming) yield add(await one);
  } finally {
    // Where the loop ends by an error of its own, nobody waits for these.
    await Promise.allSettled(coming);
  }
}

/** One damaged image must not take the others of its chunk away, and their numbers must stay right. */
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
