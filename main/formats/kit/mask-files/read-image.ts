import { BmpProblem, decodeBmp, isBmp } from '../../../platform/bmp.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Source } from '../../io/source.ts';

/** An image whose pixels are numbers or colours that mean something. */
export interface MaskImage {
  readonly width: number;
  readonly height: number;
  /** Grey images have one number a pixel; in others the number is red · 65536 + green · 256 + blue. */
  readonly isColor: boolean;
  /** Row-major. Pixels that are wholly transparent are 0. */
  valueAt(index: number): number;
}

/** Larger images are refused before they are decoded: 100 million pixels of gray take 100 MB. */
export const maxMaskPixels = 100_000_000;
/** A mask is looked at in any order, so all of it is in memory. */
const maxMaskBytes = 260_000_000;
const maxFileBytes = 256 * 1024 * 1024;

function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError('invalid', `the image cannot be read: ${reason}`, undefined, { cause });
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : 'unknown').split('\n')[0] ?? 'unknown';
}

/**
 * Decodes an image of masks, with the numbers that the file holds: 16 bits stay 16 bits, no colour profile is applied,
 * palettes give their colours. Throws `AppError('invalid')` for what is no image, is damaged or too large.
 */
export async function decodeMaskImage(bytes: Uint8Array): Promise<MaskImage> {
  if (isBmp(bytes)) return decodeMaskBmp(bytes);
  const input = { ignoreIcc: true, limitInputPixels: maxMaskPixels, failOn: 'truncated' as const };
  // Loaded with the first image: libvips is large, and most formats have no masks of pixels.
  const { default: sharp } = await import('sharp');
  try {
    const metadata = await sharp(bytes, input).metadata();
    // Drawings with markup in them are no masks, and rendering them is nothing to do with a stranger's file.
    if (metadata.format === 'svg') throw unreadable('it is a drawing, not an image of pixels.');
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
    if (isCut) throw unreadable('it ends before its pixels do.');
    return { width, height, ...readerOf(data, 3, false) };
  } catch (error) {
    throw error instanceof BmpProblem ? unreadable(`${error.message}.`, error) : error;
  }
}

/** Every pixel goes through one of these: no checks, and one reader for each layout. */
function readerOf(
  samples: Uint8Array | Uint16Array,
  channels: number,
  isWide: boolean,
): Pick<MaskImage, 'isColor' | 'valueAt'> {
  if (channels === 1) return { isColor: false, valueAt: (index) => samples[index]! };
  if (channels === 2) {
    return { isColor: false, valueAt: (index) => (samples[2 * index + 1] === 0 ? 0 : samples[2 * index]!) };
  }
  // Colours of 16 bits a channel are compared by their upper halves.
  const shift = isWide ? 8 : 0;
  const color = (place: number): number =>
    ((samples[place]! >> shift) << 16) | ((samples[place + 1]! >> shift) << 8) | (samples[place + 2]! >> shift);
  if (channels === 3) return { isColor: true, valueAt: (index) => color(3 * index) };
  return { isColor: true, valueAt: (index) => (samples[4 * index + 3] === 0 ? 0 : color(4 * index)) };
}

export async function readMaskImage(source: Source, path: string): Promise<MaskImage> {
  return decodeMaskImage(await source.read(path, maxFileBytes));
}
