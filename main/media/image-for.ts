import { readFile } from 'node:fs/promises';
import type { Encoding, ImageEncoder } from './encode-image.ts';
import type { FrameStore } from './frame-store.ts';
import type { StoredFrame } from './media-location.ts';
import { type ImageProbe, probeImage } from './probe.ts';

export interface ImageRequest {
  /** Null: the entire image. */
  readonly region: NonNullable<Encoding['region']> | null;
  /** Formats that it reads; empty: all. */
  readonly formats: readonly string[];
  /** Maximum length of the longer side of a region. */
  readonly size?: number | undefined;
}

/**
 * Returns the frame's own file if possible. Encodes again if only a region is needed, if the program does not read the
 * format, or if the file has an EXIF rotation: programs ignore it, so their results would not match the displayed
 * image.
 */
export async function imageFor(
  store: FrameStore,
  frame: StoredFrame,
  wish: ImageRequest,
  signal?: AbortSignal,
): Promise<Buffer> {
  if (frame.videoFrame !== undefined) return store.encodedFrame(frame, encodingFor('png', wish), signal);
  const { path } = await store.frameFile(frame);
  const probe = await probeImage(path, { name: frame.path });
  return isTakenAsItIs(probe, wish)
    ? readFile(path)
    : store.encodedFrame(frame, encodingFor(probe.format, wish), signal);
}

/** The same for an image that is not a frame of a task. */
export async function encodeFor(
  pictures: ImageEncoder,
  bytes: Buffer,
  name: string,
  formats: readonly string[],
): Promise<Buffer> {
  const wish = { region: null, formats };
  const probe = await probeImage(bytes, { name });
  if (isTakenAsItIs(probe, wish)) return bytes;
  return pictures.encode({ source: bytes, name, encoding: encodingFor(probe.format, wish) });
}

function isTakenAsItIs({ format, orientation }: ImageProbe, { region, formats }: ImageRequest): boolean {
  const isReadable = formats.length === 0 || formats.includes(format);
  return region === null && isReadable && orientation === 1;
}

/** Prefers speed over size, because the result is sent only once. */
function encodingFor(source: string, { region, formats, size }: ImageRequest): Encoding {
  return {
    format: targetFormat(source, formats),
    quality: 95,
    compressionLevel: 1,
    ...(region === null ? {} : { region, ...(size === undefined ? {} : { size }) }),
  };
}

function targetFormat(source: string, formats: readonly string[]): Encoding['format'] {
  const known: readonly Encoding['format'][] = ['png', 'jpeg', 'webp'];
  const same = known.find((format) => format === source);
  if (same && (formats.length === 0 || formats.includes(same))) return same;
  return known.find((format) => formats.includes(format)) ?? 'png';
}
