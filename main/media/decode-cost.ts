import { AppError } from '../platform/errors.ts';
import type { HeaderReader } from './headers/header-reader.ts';
import type { ImageFormat, ImageHeader } from './headers/image-header.ts';
import { findJpegFrame } from './headers/jpeg-frame.ts';
import { readTiffPage } from './headers/tiff.ts';

export interface DecodeCost {
  readonly decodedBytes: number;
  /**
   * Memory needed at one time: negligible if an image is decoded row by row, all pixels if the format or an EXIF
   * rotation prevents that.
   */
  readonly heldBytes: number;
}

/** One decode takes at most 300 MB: this, and the memory for encoding the image again. */
const maxHeldBytes = 260_000_000;

/** Bytes per pixel while the library decodes, measured with libvips 8.18: these formats cannot be decoded by rows. */
const heldWhole: Partial<Record<ImageFormat, number>> = { webp: 8, avif: 18, gif: 4.5, bmp: 3 };

type CostFacts = Pick<ImageHeader, 'format' | 'width' | 'height' | 'orientation' | 'bitsPerChannel' | 'samples'>;
/** Bytes per pixel (red, green, blue) of an image composed of chosen bands. */
const bandBytes = 3;

export async function costOf(reader: HeaderReader, header: CostFacts): Promise<DecodeCost> {
  const { format, width, height, orientation, bitsPerChannel, samples } = header;
  const pixels = width * height;
  const { channels, heldChannels } = await layoutOf(reader, header, pixels);
  const sampleBytes = Math.ceil(bitsPerChannel / 8);
  const decodedBytes = pixels * channels * sampleBytes;
  const perPixel = samples?.needsOwnReader ? bandBytes : (heldWhole[format] ?? 0);
  // Samples that are compressed together are decoded together, regardless of the chosen bands.
  const together = samples?.needsOwnReader ? (decodedBytes / height) * Math.min(height, samples.rowsTogether) : 0;
  // A bitmap is decoded from a buffer of the entire file.
  const file = format === 'bmp' ? reader.sizeBytes : 0;
  const heldBytes = Math.max(
    pixels * perPixel + file + together,
    pixels * heldChannels * sampleBytes,
    orientation === 1 ? 0 : decodedBytes,
  );
  return { decodedBytes, heldBytes };
}

interface SampleLayout {
  readonly channels: number;
  /** Samples per pixel that the decoder holds until the end of the file. */
  readonly heldChannels: number;
}

/** Smaller images fit in any layout, so their headers are not read a second time. */
const harmlessPixels = maxHeldBytes / 8;

async function layoutOf(reader: HeaderReader, { format }: CostFacts, pixels: number): Promise<SampleLayout> {
  if (format === 'png') return pngLayout(reader);
  if (format === 'jpeg' && pixels > harmlessPixels) return jpegLayout(reader);
  if (format === 'tiff') return { channels: (await readTiffPage(reader)).value(samplesPerPixel) ?? 1, heldChannels: 0 };
  return { channels: 3, heldChannels: 0 };
}

const samplesPerPixel = 277;

const pngChannels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** The first row of an interlaced image is complete only in the last of seven passes. */
async function pngLayout(reader: HeaderReader): Promise<SampleLayout> {
  const head = await reader.at(0, 29);
  const channels = pngChannels[head[25] ?? 0] ?? 4;
  return { channels, heldChannels: head[28] === 1 ? channels : 0 };
}

/** SOF2, 6, 10 and 14: progressive frames, which refine the image in several passes. */
const progressiveFrames = new Set([0xc2, 0xc6, 0xca, 0xce]);

/** The decoder holds the coefficients of a progressive image, 16 bits each, until its last pass. */
async function jpegLayout(reader: HeaderReader): Promise<SampleLayout> {
  const { marker, sampling } = await findJpegFrame(reader);
  const largest = Math.max(1, ...sampling);
  const held = sampling.reduce((sum, factor) => sum + (2 * factor) / largest, 0);
  return { channels: 3, heldChannels: progressiveFrames.has(marker) ? held : 0 };
}

const remedies: Partial<Record<ImageFormat, string>> = {
  jpeg: 'Save it as a JPEG that is not progressive',
  png: 'Save it without interlacing',
};

/** Throws `invalid` if decoding needs more memory than one image may use. */
export function requireDecodable({ format, width, height, orientation, cost }: PictureCost, name: string): void {
  if (cost.heldBytes <= maxHeldBytes) return;
  const isTurned = orientation !== 1 && cost.heldBytes === cost.decodedBytes;
  const reason = isTurned
    ? 'it is rotated by its EXIF data'
    : `it is ${kindOf(format)}, which cannot be decoded row by row`;
  const remedy = isTurned ? 'Save it upright' : (remedies[format] ?? 'Save it as PNG or TIFF');
  throw new AppError(
    'invalid',
    `${name} is ${width} × ${height} pixels and would take ${Math.ceil(cost.heldBytes / 1e6)} MB of memory, because ${reason}; ` +
      `the limit is ${maxHeldBytes / 1e6} MB. ${remedy}, or cut it into smaller images.`,
  );
}

interface PictureCost extends Pick<ImageHeader, 'format' | 'width' | 'height' | 'orientation'> {
  readonly cost: DecodeCost;
}

function kindOf(format: ImageFormat): string {
  if (format === 'jpeg') return 'a progressive JPEG';
  if (format === 'png') return 'an interlaced PNG';
  const name = format === 'webp' ? 'WebP' : format.toUpperCase();
  return `${format === 'avif' ? 'an' : 'a'} ${name}`;
}
