import type { Region, Sharp } from 'sharp';
import { decodeErrorsNamed, needsThread, openForDisplay } from './decode.ts';
import type { Display } from './display.ts';
import type { DecodeBudget } from './decode-budget.ts';
import { requireDecodable } from './decode-cost.ts';
import { loadSharp } from './load-sharp.ts';
import type { ImageFormat } from './headers/image-header.ts';
import { defaultMaxPixels, probeImage } from './probe.ts';

/** Encoding of an image. Plain data, so that it can be sent to a worker thread. */
export interface Encoding {
  readonly format: 'jpeg' | 'png' | 'webp';
  /** 1–100, for JPEG. */
  readonly quality?: number | undefined;
  /** JPEG with 4:2:0 chroma subsampling, as in most videos. */
  readonly halfColours?: boolean;
  /** 0–9, for PNG. */
  readonly compressionLevel?: number;
  /** Maximum length of the longer side. */
  readonly size?: number;
  readonly region?: Region;
  /** Chosen bands and values; undefined for the default display. */
  readonly display?: Display | undefined;
}

export interface EncodeRequest {
  readonly source: string | Uint8Array;
  readonly name: string;
  readonly encoding: Encoding;
}

const defaultQuality = 95;
const defaultCompression = 6;

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
 * Uses full chroma resolution, because annotators inspect single pixels. Optimised Huffman tables would save 10 % of
 * the size, but keep all coefficients in memory until the end: 1.2 GB for 200 megapixels.
 */
export function toJpeg(image: Sharp, quality: number, halfColours = false): Sharp {
  return image.jpeg({ quality, chromaSubsampling: halfColours ? '4:2:0' : '4:4:4', optimiseCoding: false });
}

/** Decodes and encodes in this thread; see {@link openForDisplay}. */
export async function encodeImage({ source, name, encoding }: EncodeRequest): Promise<Buffer> {
  return decodeErrorsNamed(name, async () => {
    const image = await openForDisplay(source, { name, display: encoding.display });
    return encoded(image, encoding).toBuffer();
  });
}

export type ImageEncoder = ReturnType<typeof createImageEncoder>;

/**
 * Encodes images within a budget. `inThread` is {@link encodeImage} in a separate thread, for images that are
 * processed pixel by pixel.
 */
export function createImageEncoder({
  budget,
  inThread = encodeImage,
}: {
  readonly budget: DecodeBudget;
  readonly inThread?: typeof encodeImage | undefined;
}) {
  return {
    budget,
    async encode(request: EncodeRequest, signal?: AbortSignal): Promise<Buffer> {
      const { source, name } = request;
      const probe = await probeImage(source, { name });
      const run = needsThread(probe, request.encoding.display) ? inThread : encodeImage;
      return budget.run(probe.cost.decodedBytes, () => run(request), signal);
    },
    /**
     * An upright copy, in the same format and with all bits, of an image with an EXIF rotation. Undefined if the file
     * can be used unchanged: it is upright, or cannot be decoded.
     */
    async upright(
      { source, name }: Omit<EncodeRequest, 'encoding'>,
      signal?: AbortSignal,
    ): Promise<Buffer | undefined> {
      const turn = await turnOf(source, name);
      return turn && budget.run(turn.decodedBytes, () => turn.upright(), signal);
    },
  };
}

interface Turn {
  readonly decodedBytes: number;
  /** True if the upright copy has the same pixels. A lossless rotation of JPEG is not available here. */
  readonly isLossless: boolean;
  /** A copy of the same format that needs no orientation. */
  upright(): Promise<Buffer>;
}

/** Prepares an upright copy of a file with an EXIF rotation; undefined if the file is upright or cannot be read. */
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

/** Best quality per format. Other formats state no orientation, or every reader applies it. */
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
