import { readFile } from 'node:fs/promises';
import type { Encoding, PictureEncoder } from './encode-picture.ts';
import type { FrameStore } from './frame-store.ts';
import type { StoredFrame } from './media-location.ts';
import { type ImageProbe, probeImage } from './probe.ts';

/** How a program wants its pictures. */
export interface PictureWish {
  /** Null: the whole picture. */
  readonly region: NonNullable<Encoding['region']> | null;
  /** Formats that it reads; empty: all. */
  readonly formats: readonly string[];
}

/**
 * The frame's own file where a program can take it as it is. Encoded anew where only a region is wanted, where the program
 * does not read the format, and where the file is turned by EXIF: programs do not look at that, and their results would lie
 * beside what people see.
 */
export async function pictureFor(
  store: FrameStore,
  frame: StoredFrame,
  wish: PictureWish,
  signal?: AbortSignal,
): Promise<Buffer> {
  if (frame.videoFrame !== undefined) return store.encodedFrame(frame, encodingFor('png', wish), signal);
  const { path } = await store.frameFile(frame);
  const probe = await probeImage(path, { name: frame.path });
  return isTakenAsItIs(probe, wish)
    ? readFile(path)
    : store.encodedFrame(frame, encodingFor(probe.format, wish), signal);
}

/** The same of a picture that is no task's frame. */
export async function encodeFor(
  pictures: PictureEncoder,
  bytes: Buffer,
  name: string,
  formats: readonly string[],
): Promise<Buffer> {
  const wish = { region: null, formats };
  const probe = await probeImage(bytes, { name });
  if (isTakenAsItIs(probe, wish)) return bytes;
  return pictures.encode({ source: bytes, name, encoding: encodingFor(probe.format, wish) });
}

function isTakenAsItIs({ format, orientation }: ImageProbe, { region, formats }: PictureWish): boolean {
  const isReadable = formats.length === 0 || formats.includes(format);
  return region === null && isReadable && orientation === 1;
}

/** Quickly rather than small: what is made here is sent once. */
function encodingFor(source: string, { region, formats }: PictureWish): Encoding {
  return {
    format: targetFormat(source, formats),
    quality: 95,
    compressionLevel: 1,
    ...(region === null ? {} : { region }),
  };
}

function targetFormat(source: string, formats: readonly string[]): Encoding['format'] {
  const known: readonly Encoding['format'][] = ['png', 'jpeg', 'webp'];
  const same = known.find((format) => format === source);
  if (same && (formats.length === 0 || formats.includes(same))) return same;
  return known.find((format) => formats.includes(format)) ?? 'png';
}
