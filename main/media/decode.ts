import { readFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { AppError } from '../platform/errors.ts';
import { BmpProblem, decodeBmp, type RgbPixels } from '../platform/bmp.ts';
import { requireDecodable } from './decode-cost.ts';
import { type Display, requireDisplay } from './display.ts';
import { loadSharp } from './load-sharp.ts';
import { defaultMaxPixels, type ImageProbe, probeImage, toProbeError } from './probe.ts';
import { readBands } from './read-bands.ts';
import { reduceDepth, white } from './reduce-depth.ts';

export interface DecodeOptions {
  readonly name: string;
  readonly isTurned?: boolean;
  readonly display?: Display | undefined;
}

/**
 * Opens an image for display: upright, 8 bits per channel, sRGB or gray, transparency on white, the first page or
 * frame. Decodes a damaged file as far as possible. Throws `AppError('invalid')` if nothing can be decoded.
 *
 * The result is decoded row by row while it is encoded. Bitmaps and images with more than 8 bits are first processed
 * pixel by pixel in this thread: see {@link needsThread}.
 */
export async function openForDisplay(source: string | Uint8Array, options: DecodeOptions): Promise<Sharp> {
  const probe = await probeImage(source, { name: options.name });
  requireDecodable(probe, options.name);
  const { samples } = probe;
  const { display } = options;
  if (display) requireDisplay(probe, display, options.name);
  if (probe.format === 'bmp') return openBmp(source);
  if (samples?.needsOwnReader || (samples?.hasOwnReader && display)) {
    return readBands(source, { ...probe, samples }, { display: display ?? {}, isTurned: options.isTurned ?? true });
  }
  const sharp = await loadSharp();
  const open = (autoOrient = options.isTurned ?? true): Sharp =>
    sharp(source, { limitInputPixels: defaultMaxPixels, failOn: 'none', autoOrient, pages: 1 });
  const metadata = await open().metadata();
  if (metadata.depth === 'uchar') return open().flatten({ background: white });
  return reduceDepth(open, metadata, display?.window);
}

/** True if decoding loops over every pixel in JavaScript, which must not happen in the thread that serves requests. */
export function needsThread(
  { format, bitsPerChannel, samples }: Pick<ImageProbe, 'format' | 'bitsPerChannel' | 'samples'>,
  display?: Display,
): boolean {
  return format === 'bmp' || bitsPerChannel > 8 || samples?.needsOwnReader === true || display !== undefined;
}

/** Runs a pipeline of {@link openForDisplay} and converts its errors into messages that name the file. */
export async function decodeErrorsNamed<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BmpProblem) throw new AppError('invalid', `${name} cannot be shown: ${error.message}.`);
    const known = toProbeError(error, name);
    if (known instanceof AppError || !(error instanceof Error)) throw known;
    const sentence = `${name} cannot be decoded: it is damaged, or of an unsupported kind (${reasonOf(error)}).`;
    throw new AppError('invalid', sentence, undefined, { cause: error });
  }
}

/** First line of a decoder's message, without the path that libvips puts in front. */
function reasonOf({ message }: Error): string {
  return (message.split('\n', 1)[0] ?? '').replaceAll(/(?:[A-Za-z]:)?[\\/]\S+:\s+(?=\S)/g, '').trim();
}

async function openBmp(source: string | Uint8Array): Promise<Sharp> {
  const bytes = typeof source === 'string' ? await readFile(source) : Buffer.from(source);
  return fromRgb(decodeBmp(bytes));
}

export async function fromRgb({ data, width, height }: RgbPixels): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}
