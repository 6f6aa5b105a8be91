import { encoded, type Encoding } from '../encode-image.ts';
import { fromRgb } from '../decode.ts';
import type { VideoTools } from './ffmpeg.ts';
import type { DecodedFrame } from './frame-memory.ts';
import { createVideoReader, type VideoReader } from './video.ts';

/** Encoding of a video frame. Plain data, so that it can be sent to a worker thread. */
export interface FrameRequest {
  readonly tools: VideoTools;
  readonly indexDirectory: string;
  readonly file: string;
  readonly frameIndex: number;
  readonly encoding: Encoding;
}

/** From this quality on, JPEGs keep full chroma resolution, because users inspect single pixels. */
const highestOfHalfColours = 90;

/**
 * Chroma subsampling takes half the time and saves a third of the size. It loses nothing if the video has it too and
 * the frame is not cropped or scaled.
 */
const mayHalveColours = ({ hasHalfColours }: DecodedFrame, { quality, region, size }: Encoding): boolean =>
  hasHalfColours === true && (quality ?? 100) < highestOfHalfColours && region === undefined && size === undefined;

export async function encodePixels(frame: DecodedFrame, encoding: Encoding): Promise<Buffer> {
  const halfColours = mayHalveColours(frame, encoding);
  const bytes = await encoded(await fromRgb(frame), { ...encoding, halfColours }).toBuffer();
  frame.release?.();
  return bytes;
}

export async function encodeFrame(
  reader: VideoReader,
  { file, frameIndex, encoding }: Pick<FrameRequest, 'file' | 'frameIndex' | 'encoding'>,
  signal?: AbortSignal,
): Promise<Buffer> {
  return encodePixels(await reader.frame(file, frameIndex, signal), encoding);
}

/** Open decoders, each ready for its next frame. */
const keptReaders = 4;

/**
 * Decodes and encodes single frames in the current thread. A frame of 1080p is six megabytes in a hundred pieces, which
 * cost much garbage collection in a thread with a large heap.
 */
export function createFrameEncoder() {
  const readers = new Map<string, VideoReader>();

  function readerOf({ tools, indexDirectory }: FrameRequest): VideoReader {
    const reader = readers.get(indexDirectory) ?? createVideoReader({ tools, indexDirectory });
    readers.delete(indexDirectory);
    readers.set(indexDirectory, reader);
    const [oldest] = readers.keys();
    if (readers.size > keptReaders && oldest !== undefined) void close(oldest);
    return reader;
  }

  async function close(indexDirectory: string): Promise<void> {
    const reader = readers.get(indexDirectory);
    readers.delete(indexDirectory);
    await reader?.close();
  }

  return {
    encode: (request: FrameRequest, signal?: AbortSignal): Promise<Buffer> =>
      encodeFrame(readerOf(request), request, signal),
    close,
  };
}

export type FrameEncoder = ReturnType<typeof createFrameEncoder>;
