import { readFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { AppError } from '../platform/errors.ts';
import { BmpProblem, decodeBmp, type RgbPixels } from './bmp.ts';
import { loadSharp } from './load-sharp.ts';
import { defaultMaxPixels, probeImage, toProbeError } from './probe.ts';

export interface DecodeOptions {
  /** How people know the file, for messages. */
  readonly name: string;
  readonly maxPixels?: number;
}

/**
 * An image as it is shown: upright, 8 bits a channel, sRGB or gray, transparency on white, the first page or frame.
 * A damaged file is decoded as far as it goes. Fails with `AppError('invalid')` when nothing can be decoded.
 */
export async function openForDisplay(source: string | Uint8Array, options: DecodeOptions): Promise<Sharp> {
  const maxPixels = options.maxPixels ?? defaultMaxPixels;
  const probe = await probeImage(source, { name: options.name, maxPixels });
  if (probe.format === 'bmp') return openBmp(source);
  const sharp = await loadSharp();
  const open = (): Sharp => sharp(source, { limitInputPixels: maxPixels, failOn: 'none', autoOrient: true, pages: 1 });
  const metadata = await open().metadata();
  if (metadata.depth === 'uchar') return open().flatten({ background: '#ffffff' });
  const isGray16 = metadata.space === 'grey16';
  if (isGray16 || metadata.space === 'rgb16') {
    return reduce16Bits(open().flatten({ background: { r: 65_535, g: 65_535, b: 65_535 } }), isGray16);
  }
  return reduceFloats(open());
}

/** Runs a pipeline made by {@link openForDisplay} and turns its failures into a sentence about the file. */
export async function decodeErrorsNamed<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BmpProblem) throw new AppError('invalid', `${name} cannot be shown: ${error.message}.`);
    const known = toProbeError(error, name);
    if (known instanceof AppError || !(error instanceof Error)) throw known;
    const reason = error.message.split('\n', 1)[0] ?? '';
    throw new AppError('invalid', `${name} is damaged and cannot be shown (${reason}).`, undefined, { cause: error });
  }
}

async function openBmp(source: string | Uint8Array): Promise<Sharp> {
  const bytes = typeof source === 'string' ? await readFile(source) : Buffer.from(source);
  return fromRgb(decodeBmp(bytes));
}

/** Colour data below this in a 16-bit file comes from a 12-bit sensor and would be nearly black. */
const twelveBits = 4096;

/**
 * Gray: the values in use are stretched over 0–255, because depth maps, thermal and medical images use a small part of
 * the range. Colour: the upper 8 bits, so that colours stay true, unless the picture would be nearly black.
 */
async function reduce16Bits(image: Sharp, isGray: boolean): Promise<Sharp> {
  const { data, info } = await image
    .toColourspace(isGray ? 'grey16' : 'rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const values = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  const { minimum, maximum } = rangeOf(values);
  const isStretched = isGray || maximum < twelveBits;
  const table = toBytesTable(isStretched ? minimum : 0, isStretched ? maximum : 65_535);
  const bytes = Buffer.allocUnsafe(values.length);
  for (let index = 0; index < values.length; index += 1) bytes[index] = table[values[index] ?? 0] ?? 0;
  return fromRaw(bytes, info);
}

function toBytesTable(minimum: number, maximum: number): Uint8Array {
  const span = Math.max(1, maximum - minimum);
  return Uint8Array.from({ length: 65_536 }, (_, value) =>
    Math.min(255, Math.max(0, Math.round(((value - minimum) * 255) / span))),
  );
}

/** 32-bit integers and floats: the range in use, the same for all channels; NaN becomes black. */
async function reduceFloats(image: Sharp): Promise<Sharp> {
  const { data, info } = await image.raw({ depth: 'float' }).toBuffer({ resolveWithObject: true });
  const values = new Float32Array(data.buffer, data.byteOffset, data.length / 4);
  const { minimum, maximum } = rangeOf(values);
  const span = maximum > minimum ? maximum - minimum : 1;
  const bytes = Buffer.allocUnsafe(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = ((values[index] ?? 0) - minimum) * (255 / span);
    bytes[index] = Number.isNaN(value) ? 0 : Math.min(255, Math.max(0, Math.round(value)));
  }
  return fromRaw(bytes, info);
}

function rangeOf(values: Uint16Array | Float32Array): { minimum: number; maximum: number } {
  let minimum = Infinity;
  let maximum = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return minimum > maximum ? { minimum: 0, maximum: 0 } : { minimum, maximum };
}

async function fromRaw(data: Buffer, info: { width: number; height: number; channels: 1 | 2 | 3 | 4 }): Promise<Sharp> {
  const { width, height, channels } = info;
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false }).flatten({ background: '#ffffff' });
}

/** Pixels that are decoded already, for example of a video frame. */
export async function fromRgb({ data, width, height }: RgbPixels): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
}
