import type { Region, Sharp } from 'sharp';
import { decodeErrorsNamed, needsThread, openForDisplay } from './decode.ts';
import type { Display } from './display.ts';
import type { DecodeBudget } from './decode-budget.ts';
import { requireDecodable } from './decode-cost.ts';
import { loadSharp } from './load-sharp.ts';
import type { ImageFormat } from './headers/image-header.ts';
import { defaultMaxPixels, probeImage } from './probe.ts';

/** What is made of a picture. Plain data, so that it can be handed to a worker thread. */
export interface Encoding {
  readonly format: 'jpeg' | 'png' | 'webp';
  /** 1–100, of a JPEG. */
  readonly quality?: number;
  /** A JPEG in which two by two pixels share a colour, as in most videos. */
  readonly halfColours?: boolean;
  /** 0–9, of a PNG. */
  readonly compressionLevel?: number;
  /** The longer side is at most this. */
  readonly size?: number;
  /** What is cut out, in pixels as people see them. */
  readonly region?: Region;
  /** Chosen bands and values; without it as everybody sees the picture. */
  readonly display?: Display | undefined;
}

export interface PictureRequest {
  /** A file, or its bytes. */
  readonly source: string | Uint8Array;
  /** How people know the file, for messages. */
  readonly name: string;
  readonly encoding: Encoding;
}

const defaultQuality = 95;
const defaultCompression = 6;

/** Applies an encoding to a picture that is ready to be shown. */
export function encoded(image: Sharp, encoding: Encoding): Sharp {
  const { format, quality = defaultQuality, halfColours = false, size, region } = encoding;
  const cut = region === undefined ? image : image.extract(region);
  const fitted =
    size === undefined ? cut : cut.resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true });
  if (format === 'png') return fitted.png({ compressionLevel: encoding.compressionLevel ?? defaultCompression });
  if (format === 'webp') return fitted.webp({ lossless: true });
  return toJpeg(fitted, quality, halfColours);
}

/**
 * Full colour resolution, because annotators look at single pixels. Tables of codes made for the very picture would save
 * a tenth of the bytes, and keep all of its coefficients in memory until its end: 1.2 GB for 200 megapixels.
 */
export function toJpeg(image: Sharp, quality: number, halfColours = false): Sharp {
  return image.jpeg({ quality, chromaSubsampling: halfColours ? '4:2:0' : '4:4:4', optimiseCoding: false });
}

/** Decodes and encodes in this thread; see {@link openForDisplay}. */
export async function encodePicture({ source, name, encoding }: PictureRequest): Promise<Buffer> {
  return decodeErrorsNamed(name, async () => {
    const image = await openForDisplay(source, { name, display: encoding.display });
    return encoded(image, encoding).toBuffer();
  });
}

export type PictureEncoder = ReturnType<typeof createPictureEncoder>;

/**
 * Encodes pictures within a budget. `inThread` is {@link encodePicture} in a thread of its own, for pictures that are
 * looked at pixel by pixel.
 */
export function createPictureEncoder({
  budget,
  inThread = encodePicture,
}: {
  readonly budget: DecodeBudget;
  readonly inThread?: typeof encodePicture | undefined;
}) {
  return {
    /** For pixels that come from elsewhere, such as a decoded frame of a video. */
    budget,
    async encode(request: PictureRequest, signal?: AbortSignal): Promise<Buffer> {
      const { source, name } = request;
      const probe = await probeImage(source, { name });
      const run = needsThread(probe, request.encoding.display) ? inThread : encodePicture;
      return budget.run(probe.cost.decodedBytes, () => run(request), signal);
    },
    /**
     * A picture that its EXIF data turn, as a file of the same format that is upright by itself, with all its bits.
     * Undefined where the file may be given as it is: it is upright, or cannot be decoded.
     */
    async upright(
      { source, name }: Omit<PictureRequest, 'encoding'>,
      signal?: AbortSignal,
    ): Promise<Buffer | undefined> {
      const turn = await turnOf(source, name);
      return turn && budget.run(turn.decodedBytes, () => turn.upright(), signal);
    },
  };
}

interface Turn {
  readonly decodedBytes: number;
  /** Whether the upright copy has the same pixels: there is no such way for JPEG here. */
  readonly isLossless: boolean;
  /** A copy of the same format that needs no orientation. */
  upright(): Promise<Buffer>;
}

/** What it takes to make a file upright that its EXIF data turn; undefined for one that is upright or cannot be read. */
export async function turnOf(source: string | Uint8Array, name: string): Promise<Turn | undefined> {
  const probe = await probeImage(source, { name }).catch(() => undefined);
  const encode = probe && probe.orientation !== 1 ? uprightFormats[probe.format] : undefined;
  if (!probe || !encode) return undefined;
  requireDecodable(probe, name);
  return {
    decodedBytes: probe.cost.decodedBytes,
    isLossless: probe.format !== 'jpeg',
    upright: () => decodeErrorsNamed(name, async () => encode(await openTurned(source)).toBuffer()),
  };
}

/** As good as the format can be; those that are not here state no orientation or are turned by every reader. */
const uprightFormats: Partial<Record<ImageFormat, (image: Sharp) => Sharp>> = {
  jpeg: (image) => toJpeg(image, 100),
  png: (image) => image.png(),
  webp: (image) => image.webp({ lossless: true }),
  tiff: (image) => image.tiff({ compression: 'lzw' }),
};

async function openTurned(source: string | Uint8Array): Promise<Sharp> {
  const sharp = await loadSharp();
  const image = sharp(source, { limitInputPixels: defaultMaxPixels, failOn: 'none', autoOrient: true, pages: 1 });
  const { space } = await image.metadata();
  return space === 'grey16' || space === 'rgb16' ? image.toColourspace(space) : image;
}
