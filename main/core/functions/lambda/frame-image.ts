import { readFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { openForDisplay } from '../../../media/decode.ts';
import { defaultMaxPixels, probeImage } from '../../../media/probe.ts';
import type { FrameRange, FrameService } from '../../tasks/frame-service.ts';
import { requireInside, type Region } from './region.ts';

/** The image of a frame as a function gets it. */
export interface FrameImage {
  readonly bytes: Buffer;
  /** Of the whole frame, as people see it. */
  readonly width: number;
  readonly height: number;
}

type Format = 'png' | 'jpeg' | 'webp';

const encoders: Readonly<Record<Format, (image: Sharp) => Sharp>> = {
  png: (image) => image.png({ compressionLevel: 1 }),
  jpeg: (image) => image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  webp: (image) => image.webp({ lossless: true }),
};

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
  const row = frames.frame(range, frame);
  requireInside(options.region, row);
  const store = await frames.store(range);
  const original = await store.originalFrame(frames.stored(range, row), options.signal);
  const bytes = original.bytes ?? (await readFile(original.path ?? ''));
  const encoded = await encodeFor(bytes, row.name, options.region, options.formats);
  return { bytes: encoded, width: row.width, height: row.height };
}

/** An image as a function with such wishes takes it. */
export async function encodeFor(
  bytes: Buffer,
  name: string,
  region: Region | null,
  formats: readonly string[],
): Promise<Buffer> {
  const probe = await probeImage(bytes, { maxPixels: defaultMaxPixels });
  const isReadable = formats.length === 0 || formats.includes(probe.format);
  if (region === null && isReadable && probe.orientation === 1) return bytes;
  const image = await openForDisplay(bytes, { name, maxPixels: defaultMaxPixels });
  const cut = region === null ? image : image.extract(region);
  return encoders[targetFormat(probe.format, formats)](cut).toBuffer();
}

function targetFormat(source: string, formats: readonly string[]): Format {
  const known: readonly Format[] = ['png', 'jpeg', 'webp'];
  const same = known.find((format) => format === source);
  if (same && (formats.length === 0 || formats.includes(same))) return same;
  return known.find((format) => formats.includes(format)) ?? 'png';
}
