import type { Metadata, Sharp } from 'sharp';
import { loadSharp } from './load-sharp.ts';

export const white = '#ffffff';

/** Colour data below this in a 16-bit file comes from a 12-bit sensor and would be nearly black. */
const twelveBits = 4096;
const most = 65_535;
/**
 * What is looked at in one piece while the range of a picture is found: 32 megapixels of 16-bit gray. For each further
 * piece the file is decoded anew down to its end.
 */
const bandBytes = 64 * 1024 ** 2;

/**
 * A picture of more than 8 bits a channel as one of 8.
 *
 * - 16-bit gray: the values in use are stretched over 0–255, because depth maps, thermal and medical images use a small
 *   part of the range. 16-bit colour: the upper 8 bits, so that colours stay true, unless the picture would be nearly
 *   black.
 * - 32-bit integers and floats: the range in use, the same for all channels; NaN becomes black.
 *
 * libvips does the arithmetic while it decodes; only the range is found here, in bands, so that memory stays bounded.
 */
export async function reduceDepth(open: (autoOrient?: boolean) => Sharp, metadata: Metadata): Promise<Sharp> {
  const isGray16 = metadata.space === 'grey16';
  if (isGray16 || metadata.space === 'rgb16') {
    const space = isGray16 ? 'grey16' : 'rgb16';
    const flat = (autoOrient?: boolean) => open(autoOrient).flatten({ background: white });
    const isBright = ({ high }: SampleRange) => !isGray16 && high >= twelveBits;
    const range = await rangeOf(() => flat(false).toColourspace(space), metadata, 'ushort', isBright);
    const [from, to] = isBright(range) ? [0, most] : [range.low, range.high];
    const factor = (255 * 256) / Math.max(1, to - from);
    // libvips takes the upper byte of 16 bits: half a step more rounds.
    return flat()
      .linear(factor, 128 - from * factor)
      .toColourspace(isGray16 ? 'b-w' : 'srgb');
  }
  const { low, high, hasHoles } = await rangeOf(() => asStored(open(false).removeAlpha(), metadata), metadata, 'float');
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

/** Gray stays one channel; colour is not touched. */
const asStored = (image: Sharp, { space }: Metadata): Sharp => (space === 'b-w' ? image.toColourspace(space) : image);

/** libvips takes what is no number for the largest one: in a negative that is what becomes black. */
async function withBlackHoles(negative: Sharp): Promise<Sharp> {
  const { data, info } = await negative.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false }).negate();
}

interface SampleRange {
  readonly low: number;
  readonly high: number;
  /** Whether some samples are no numbers. */
  readonly hasHoles: boolean;
}

/** Smallest and largest finite sample, or as much as is enough. The picture lies as it is stored: a turned one could not be read in bands. */
async function rangeOf(
  open: () => Sharp,
  { width, height, channels }: Metadata,
  depth: 'ushort' | 'float',
  isEnough: (range: SampleRange) => boolean = () => false,
): Promise<SampleRange> {
  let range: SampleRange = { low: Infinity, high: -Infinity, hasHoles: false };
  const sampleBytes = depth === 'ushort' ? 2 : 4;
  const rows = Math.max(1, Math.floor(bandBytes / (width * channels * sampleBytes)));
  for (let top = 0; top < height && !isEnough(range); top += rows) {
    const data = await open()
      .extract({ left: 0, top, width, height: Math.min(rows, height - top) })
      .raw({ depth })
      .toBuffer();
    const count = data.length / sampleBytes;
    range = widened(
      range,
      depth === 'ushort'
        ? new Uint16Array(data.buffer, data.byteOffset, count)
        : new Float32Array(data.buffer, data.byteOffset, count),
    );
  }
  return range.low > range.high ? { ...range, low: 0, high: 0 } : range;
}

function widened(range: SampleRange, samples: Uint16Array | Float32Array): SampleRange {
  let { low, high, hasHoles } = range;
  for (const value of samples) {
    if (value < low && value !== -Infinity) low = value;
    if (value > high && value !== Infinity) high = value;
    if (Number.isNaN(value)) hasHoles = true;
  }
  return { low, high, hasHoles };
}
