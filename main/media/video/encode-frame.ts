import { encoded, type Encoding } from '../encode-picture.ts';
import { fromRgb } from '../decode.ts';
import type { VideoTools } from './ffmpeg.ts';
import type { DecodedFrame } from './frame-memory.ts';
import { createVideoReader, type VideoReader } from './video.ts';

/** A frame of a video as a picture. Plain data, so that it can be handed to a worker thread. */
export interface FrameRequest {
  readonly tools: VideoTools;
  readonly indexDirectory: string;
  readonly file: string;
  readonly frameIndex: number;
  readonly encoding: Encoding;
}

/** A JPEG of a higher quality is for looking at single pixels. */
const highestOfHalfColours = 90;

/** Half the work and a third less to send, where the whole frame loses nothing that the video has. */
const mayHalveColours = ({ hasHalfColours }: DecodedFrame, { quality, region, size }: Encoding): boolean =>
  hasHalfColours === true && (quality ?? 100) < highestOfHalfColours && region === undefined && size === undefined;

/** A decoded frame as a picture; its memory is given back. */
export async function encodePixels(frame: DecodedFrame, encoding: Encoding): Promise<Buffer> {
  const halfColours = mayHalveColours(frame, encoding);
  const bytes = await encoded(await fromRgb(frame), { ...encoding, halfColours }).toBuffer();
  frame.release?.();
  return bytes;
}

/** A frame that a reader decodes, as a picture. */
export async function encodeFrame(
  reader: VideoReader,
  { file, frameIndex, encoding }: Pick<FrameRequest, 'file' | 'frameIndex' | 'encoding'>,
  signal?: AbortSignal,
): Promise<Buffer> {
  return encodePixels(await reader.frame(file, frameIndex, signal), encoding);
}

/** Decoders that wait for the next frame. */
const keptReaders = 4;

/**
 * Decodes and encodes single frames in the thread that it is made in: a frame of 1080p is six megabytes, which come in a
 * hundred pieces, and where much else is in memory each of them costs a look at all of it.
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
    /** Ends the decoders of a video. */
    close,
  };
}

export type FrameEncoder = ReturnType<typeof createFrameEncoder>;
