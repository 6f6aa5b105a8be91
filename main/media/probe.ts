import { basename } from 'node:path';
import { AppError } from '../platform/errors.ts';
import { costOf, type DecodeCost } from './decode-cost.ts';
import { parseAvif } from './headers/avif.ts';
import { parseBmp } from './headers/bmp.ts';
import { parseGif } from './headers/gif.ts';
import {
  BrokenHeader,
  type HeaderParser,
  type ImageFormat,
  type ImageHeader,
  type Orientation,
  UnsupportedImage,
} from './headers/image-header.ts';
import { parseJpeg } from './headers/jpeg.ts';
import { parsePng } from './headers/png.ts';
import { parseTiff } from './headers/tiff.ts';
import { parseWebp } from './headers/webp.ts';
import { type HeaderReader, notAFile, type RangeSource, withHeaderReader } from './headers/header-reader.ts';
import { describeContent, imageFormatOf, isCameraRaw } from './identify.ts';
import { loadSharp } from './load-sharp.ts';
import { requirePlausible } from './plausibility.ts';

/** The size is upright: in pixels after the EXIF orientation. Annotations use this coordinate system. */
export interface ImageProbe extends ImageHeader {
  readonly cost: DecodeCost;
}

export interface ProbeOptions {
  /** Displayed name of the file; default: the last part of the path. */
  readonly name?: string;
  readonly maxPixels?: number;
}

/** Images are decoded row by row, so a large image costs time and disk, but not memory. */
export const defaultMaxPixels = 500_000_000;

const ownParsers: Partial<Record<ImageFormat, HeaderParser>> = {
  jpeg: parseJpeg,
  png: parsePng,
  gif: parseGif,
  bmp: parseBmp,
  webp: parseWebp,
  avif: parseAvif,
  tiff: parseTiff,
};

const identifyingBytes = 512;

/**
 * Reads an image's header, from a file or from bytes, without decoding pixels. The content determines the format, not
 * the name. Throws `AppError('invalid')` with a sentence that names the file and its content.
 */
export async function probeImage(
  source: string | Uint8Array | RangeSource,
  options: ProbeOptions = {},
): Promise<ImageProbe> {
  const name = options.name ?? (typeof source === 'string' ? basename(source) : 'the image');
  try {
    return await withHeaderReader(source, async (reader) => {
      const header = await readHeader(reader, source, name);
      const size = checked(header, name, options.maxPixels ?? defaultMaxPixels);
      const cost = await costOf(reader, header);
      await damageNamed(name, header.format, () => requirePlausible(reader, header, cost));
      return { ...header, ...size, cost };
    });
  } catch (error) {
    throw toProbeError(error, name);
  }
}

async function readHeader(
  reader: HeaderReader,
  source: string | Uint8Array | RangeSource,
  name: string,
): Promise<ImageHeader> {
  const head = await reader.at(0, identifyingBytes);
  const format = imageFormatOf(head);
  if (format === undefined) throw new AppError('invalid', `${name} ${refusalOf(head)}.`);
  if (isCameraRaw(name)) {
    throw new AppError('invalid', `${name} is a camera raw file, which is not supported. Export it as JPEG or TIFF.`);
  }
  return damageNamed(name, format, async () => (await ownParsers[format]?.(reader)) ?? (await askLibrary(source)));
}

function refusalOf(head: Buffer): string {
  const content = describeContent(head);
  return /^is an? .*(?:image|photograph), which/.test(content) ? content : `is not an image: it ${content}`;
}

async function damageNamed<Result>(name: string, format: ImageFormat, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UnsupportedImage) {
      throw new AppError('invalid', `${name} ${error.message}.`, undefined, { cause: error });
    }
    if (!(error instanceof BrokenHeader)) throw error;
    throw new AppError('invalid', `${name} is a damaged ${format.toUpperCase()} image: ${error.message}.`, undefined, {
      cause: error,
    });
  }
}

/** For AVIF, and for structures that the own parsers do not handle. */
async function askLibrary(source: string | Uint8Array | RangeSource): Promise<ImageHeader> {
  const sharp = await loadSharp();
  const isInRanges = typeof source !== 'string' && !(source instanceof Uint8Array);
  const content = isInRanges ? await source.read(0, source.sizeBytes) : source;
  try {
    const metadata = await sharp(content, { limitInputPixels: false }).metadata();
    return {
      // The caller has identified the format; libvips calls AVIF by its container.
      format: metadata.format === 'heif' ? 'avif' : (metadata.format as ImageFormat),
      width: metadata.width,
      height: metadata.height,
      orientation: (metadata.orientation ?? 1) as Orientation,
      pageCount: metadata.pages ?? 1,
      bitsPerChannel: metadata.bitsPerSample ?? 8,
      isComplete: true,
    };
  } catch (error) {
    throw new BrokenHeader(error instanceof Error ? firstLine(error.message) : 'its header cannot be read');
  }
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}

function checked(header: ImageHeader, name: string, maxPixels: number): Pick<ImageProbe, 'width' | 'height'> {
  const { width, height, orientation } = header;
  if (width < 1 || height < 1) {
    throw new AppError(
      'invalid',
      `${name} is a damaged ${header.format.toUpperCase()} image: its size is ${width} × ${height} pixels.`,
    );
  }
  if (width * height > maxPixels) {
    const limit = `${Math.floor(maxPixels / 1_000_000)} megapixels`;
    throw new AppError(
      'invalid',
      `${name} is ${width} × ${height} pixels; the limit is ${limit}. Cut it into smaller images.`,
    );
  }
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist, or its folder may not be read',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  EISDIR: 'is a folder, not an image',
  EIO: 'cannot be read from its disk',
  [notAFile]: 'is not a file but a pipe, a socket or a device',
  ENXIO: 'is not a file but a pipe, a socket or a device',
};

/** Converts file errors to sentences; returns other errors unchanged. */
export function toProbeError(error: unknown, name: string): unknown {
  const problem = fileProblems[String((error as { code?: unknown } | null)?.code)];
  if (error instanceof AppError || problem === undefined) return error;
  return new AppError('invalid', `${name} ${problem}.`, undefined, { cause: error });
}
