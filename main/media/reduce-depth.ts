import type { Metadata, Sharp } from 'sharp';
import { defaultWindow, type ValueWindow } from '../../preload/geometry/value-window.ts';
import { loadSharp } from './load-sharp.ts';
import { createRangeFinder, type ValueRange } from './value-range.ts';

export const white = '#ffffff';

/** 16-bit colours below this come from a 12-bit sensor and would be nearly black. */
const twelveBits = 4096;
const most = 65_535;
/**
 * Bytes per band of rows while searching the value range: 32 megapixels of 16-bit gray. For each band the file is
 * decoded again from the start to the end of the band.
 */
const bandBytes = 64 * 1024 ** 2;

/**
 * Reduces an image with more than 8 bits per channel to 8 bits.
 *
 * - 16-bit gray: the values between two percentiles are stretched over 0–255, because depth maps, thermal and medical
 * images use a small part of the range. 16-bit colour: the upper 8 bits, so that colours stay true, unless the image
 * would be nearly black, or a window is given.
 * - 32-bit integers and floats: the range between two percentiles, the same for all channels; NaN becomes black.
 *
 * libvips does the arithmetic while it decodes; only the range is found here, in bands of rows, so that memory stays
 * bounded.
 */
export async function reduceDepth(
  open: (autoOrient?: boolean) => Sharp,
  metadata: Metadata,
  chosen?: ValueWindow,
): Promise<Sharp> {
  const window = chosen ?? defaultWindow;
  const isGray16 = metadata.space === 'grey16';
  if (isGray16 || metadata.space === 'rgb16') {
    const space = isGray16 ? 'grey16' : 'rgb16';
    const flat = (autoOrient?: boolean) => open(autoOrient).flatten({ background: white });
    const isBright = (largest: number): boolean => !isGray16 && chosen === undefined && largest >= twelveBits;
    const wish = { depth: 'ushort', window, isEnough: isBright } as const;
    const range = await rangeOf(() => flat(false).toColourspace(space), metadata, wish);
    const [from, to] = isBright(range.largest) ? [0, most] : [range.low, range.high];
    const factor = (255 * 256) / Math.max(1, to - from);
    // libvips takes the upper byte of 16 bits; adding half a step rounds.
    return flat()
      .linear(factor, 128 - from * factor)
      .toColourspace(isGray16 ? 'b-w' : 'srgb');
  }
  const wish = { depth: 'float', window, isEnough: () => false } as const;
  const { low, high, hasHoles } = await rangeOf(() => asStored(open(false).removeAlpha(), metadata), metadata, wish);
  const factor = 255 / (high > low ? high - low : 1);
  if (hasHoles)
    return withBlackHoles(
      open()
        .removeAlpha()
        .linear(-factor, 255.5 + low * factor),
    );
  return open()
    .removeAlpha()
    .linear(factor, 0.5 - low * factor);
}

/** Gray stays one channel; colour is unchanged. */
const asStored = (image: Sharp, { space }: Metadata): Sharp => (space === 'b-w' ? image.toColourspace(space) : image);

/** libvips converts NaN to the largest value, which is black in a negative. */
async function withBlackHoles(negative: Sharp): Promise<Sharp> {
  const { data, info } = await negative.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false }).negate();
}

/** Percentiles of the samples as stored, because a rotated image could not be read in bands. */
async function rangeOf(
  open: () => Sharp,
  { width, height, channels }: Metadata,
  { depth, window, isEnough }: RangeWish,
): Promise<ValueRange> {
  const sampleBytes = depth === 'ushort' ? 2 : 4;
  const rows = Math.max(1, Math.floor(bandBytes / (width * channels * sampleBytes)));
  const finder = createRangeFinder(width * height * channels);
  for (let top = 0; top < height && !isEnough(finder.largest()); top += rows) {
    const data = await open()
      .extract({ left: 0, top, width, height: Math.min(rows, height - top) })
      .raw({ depth })
      .toBuffer();
    const count = data.length / sampleBytes;
    finder.add(
      depth === 'ushort'
        ? new Uint16Array(data.buffer, data.byteOffset, count)
        : new Float32Array(data.buffer, data.byteOffset, count),
    );
  }
  return finder.range(window);
}

interface RangeWish {
  readonly depth: 'ushort' | 'float';
  readonly window: ValueWindow;
  /** True if the largest value is sufficient and percentiles are not needed. */
  readonly isEnough: (largest: number) => boolean;
}
