import { readFile } from 'node:fs/promises';
import type { Encoding, PictureEncoder } from '../../media/encode-picture.ts';
import { defaultMaxPixels, type ImageProbe, probeImage } from '../../media/probe.ts';
import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';
import { requireInside, type Region } from './region.ts';

/** The image of a frame as a function gets it. */
export interface FrameImage {
  readonly bytes: Buffer;
  /** Of the whole frame, as people see it. */
  readonly width: number;
  readonly height: number;
}

type Format = Encoding['format'];

/**
 * The frame's own file where a function can take it as it is. Encoded anew where only a region is wanted, where the
 * function does not read the format, and where the file is turned by EXIF: functions do not look at that, and their
 * results would lie beside what people see.
 * @throws ForwardedError 400 when the region is outside the image
 */
export async function readFrameImage(
  frames: FrameService,
  range: FrameRange,
  frame: number,
  options: { readonly region: Region | null; readonly formats: readonly string[]; readonly signal?: AbortSignal },
): Promise<FrameImage> {
  const { region, formats, signal } = options;
  const row = frames.frame(range, frame);
  requireInside(region, row);
  const store = frames.store(range);
  const stored = frames.stored(range, row);
  const { width, height } = row;
  if (stored.videoFrame !== undefined) {
    const encoding = encodingFor('png', region, formats);
    return { bytes: await store.encodedFrame(stored, encoding, signal), width, height };
  }
  const { path } = await store.frameFile(stored);
  const probe = await probeImage(path, { name: row.name, maxPixels: defaultMaxPixels });
  const bytes = isTakenAsItIs(probe, region, formats)
    ? await readFile(path)
    : await store.encodedFrame(stored, encodingFor(probe.format, region, formats), signal);
  return { bytes, width, height };
}

/** An image as a function with such wishes takes it. */
export async function encodeFor(
  pictures: PictureEncoder,
  bytes: Buffer,
  name: string,
  formats: readonly string[],
): Promise<Buffer> {
  const probe = await probeImage(bytes, { name, maxPixels: defaultMaxPixels });
  if (isTakenAsItIs(probe, null, formats)) return bytes;
  return pictures.encode({ source: bytes, name, encoding: encodingFor(probe.format, null, formats) });
}

function isTakenAsItIs(
  { format, orientation }: ImageProbe,
  region: Region | null,
  formats: readonly string[],
): boolean {
  const isReadable = formats.length === 0 || formats.includes(format);
  return region === null && isReadable && orientation === 1;
}

/** Quickly rather than small: what is made here is sent once. */
function encodingFor(source: string, region: Region | null, formats: readonly string[]): Encoding {
  return {
    format: targetFormat(source, formats),
    quality: 95,
    compressionLevel: 1,
    ...(region === null ? {} : { region }),
  };
}

function targetFormat(source: string, formats: readonly string[]): Format {
  const known: readonly Format[] = ['png', 'jpeg', 'webp'];
  const same = known.find((format) => format === source);
  if (same && (formats.length === 0 || formats.includes(same))) return same;
  return known.find((format) => formats.includes(format)) ?? 'png';
}
