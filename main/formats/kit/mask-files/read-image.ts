import { BmpProblem, decodeBmp, isBmp } from '../../../platform/bmp.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Source } from '../../io/source.ts';

/** An image whose pixels are numbers or colors. */
export interface MaskImage {
  readonly width: number;
  readonly height: number;
  /** Gray images have one number per pixel. In color images, the number is red · 65536 + green · 256 + blue. */
  readonly isColor: boolean;
  /** Row-major. Fully transparent pixels are 0. */
  valueAt(index: number): number;
}

/** Larger images are rejected before decoding: 100 million gray pixels take 100 MB. */
export const maxMaskPixels = 100_000_000;
/** Masks are accessed in random order, so the image is in memory completely. */
const maxMaskBytes = 260_000_000;
const maxFileBytes = 256 * 1024 * 1024;

function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError('invalid', `cannot read the image: ${reason}`, undefined, { cause });
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : 'unknown').split('\n')[0] ?? 'unknown';
}

/**
 * Decodes a mask image with the exact numbers of the file. 16 bits stay 16 bits, no color profile is applied, and
 * palettes give their colors. Throws `AppError('invalid')` if it is not an image, damaged or too large.
 */
export async function decodeMaskImage(bytes: Uint8Array): Promise<MaskImage> {
  if (isBmp(bytes)) return decodeMaskBmp(bytes);
  const input = { ignoreIcc: true, limitInputPixels: maxMaskPixels, failOn: 'truncated' as const };
  // Loaded on first use: libvips is large, and most formats have no mask images.
  const { default: sharp } = await import('sharp');
  try {
    const metadata = await sharp(bytes, input).metadata();
    // SVG files are not masks, and rendering untrusted SVG is a risk.
    if (metadata.format === 'svg') throw unreadable('it is a vector image, not an image of pixels.');
    if ((metadata.pages ?? 1) > 1) throw unreadable('it has several pages.');
    const { width, height } = metadata;
    if (width * height > maxMaskPixels)
      throw unreadable(`it has ${width} × ${height} pixels, more than ${maxMaskPixels}.`);
    const isWide = metadata.depth === 'ushort';
    const bytesPerPixel = metadata.channels * (isWide ? 2 : 1);
    if (width * height * bytesPerPixel > maxMaskBytes)
      throw unreadable(
        `its ${width} × ${height} pixels would take ${Math.ceil((width * height * bytesPerPixel) / 1e6)} MB of memory, more than ${maxMaskBytes / 1e6}. Save it as gray, with a palette or with fewer bits.`,
      );
    const isGrey = metadata.space === 'b-w' || metadata.space === 'grey16';
    const space = isWide ? (isGrey ? 'grey16' : 'rgb16') : isGrey ? 'b-w' : 'srgb';
    const { data, info } = await sharp(bytes, input)
      .toColourspace(space)
      .raw({ depth: isWide ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const samples = isWide ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
    return { width, height, ...readerOf(samples, info.channels, isWide) };
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(firstLine(error), error);
  }
}

function decodeMaskBmp(bytes: Uint8Array): MaskImage {
  try {
    const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { data, width, height, isCut } = decodeBmp(input, Math.floor(maxMaskBytes / 3));
    if (isCut) throw unreadable('it is truncated.');
    return { width, height, ...readerOf(data, 3, false) };
  } catch (error) {
    throw error instanceof BmpProblem ? unreadable(`${error.message}.`, error) : error;
  }
}

/** One unchecked reader per layout, because it runs for every pixel. */
function readerOf(
  samples: Uint8Array | Uint16Array,
  channels: number,
  isWide: boolean,
): Pick<MaskImage, 'isColor' | 'valueAt'> {
  if (channels === 1) return { isColor: false, valueAt: (index) => samples[index]! };
  if (channels === 2) {
    return { isColor: false, valueAt: (index) => (samples[2 * index + 1] === 0 ? 0 : samples[2 * index]!) };
  }
  // 16-bit color channels are compared by their upper bytes.
  const shift = isWide ? 8 : 0;
  const color = (place: number): number =>
    ((samples[place]! >> shift) << 16) | ((samples[place + 1]! >> shift) << 8) | (samples[place + 2]! >> shift);
  if (channels === 3) return { isColor: true, valueAt: (index) => color(3 * index) };
  return { isColor: true, valueAt: (index) => (samples[4 * index + 3] === 0 ? 0 : color(4 * index)) };
}

export async function readMaskImage(source: Source, path: string): Promise<MaskImage> {
  return decodeMaskImage(await source.read(path, maxFileBytes));
}
