import type { HeaderReader } from './headers/header-reader.ts';
import { BrokenHeader, type ImageHeader } from './headers/image-header.ts';
import { findJpegFrame } from './headers/jpeg-frame.ts';
import { readTiffPage } from './headers/tiff.ts';
import type { DecodeCost } from './decode-cost.ts';

/** Smaller images are displayed as far as possible: a false header cannot waste much memory. */
const harmlessBytes = 4 * 1024 ** 2;
/** Minimum share of the pixels that a truncated file must have. */
const cutOffShare = 1 / 16;

/**
 * Throws {@link BrokenHeader} if a header declares a larger image than the file can hold at maximum compression. 74
 * bytes can declare 12,000 × 12,000 pixels of 16 bits, whose decoding would take half a minute.
 */
export async function requirePlausible(reader: HeaderReader, header: ImageHeader, cost: DecodeCost): Promise<void> {
  if (cost.decodedBytes <= harmlessBytes) return;
  const { width, height } = header;
  const promised = width * height;
  const possible = await mostPixels(reader, header);
  if (possible >= promised * (header.isComplete ? 1 : cutOffShare)) return;
  throw new BrokenHeader(
    `its header states ${width} × ${height} pixels, and its ${reader.sizeBytes} bytes can hold ${Math.floor(possible)} of them at most`,
  );
}

/** Deflate expands a byte to at most 1,032: a length of 258 for two bits. */
const deflateRatio = 1032;
/** Each 8×8 block of a JPEG takes at least one bit; there is no such limit for arithmetic coding (C9–CF). */
const jpegPixelsPerByte = 8 * 64;
const firstArithmeticMarker = 0xc9;
/** A run of RLE8: 255 pixels for two bytes. Skipped pixels stay black and do not count. */
const rlePixelsPerByte = 128;
/** LZW: twelve bits encode at most 4,096 values. */
const lzwRatio = (4096 * 2) / 3;
/**
 * Measured: 90 million pixels of one colour took 3.5 kB as WebP, 48 million 1 kB as AVIF. The limit is four times that.
 */
const predictedRatio = 200_000;

async function mostPixels(reader: HeaderReader, header: ImageHeader): Promise<number> {
  const { sizeBytes } = reader;
  switch (header.format) {
    case 'png':
      return mostPixelsOfPng(reader);
    case 'jpeg': {
      const { marker } = await findJpegFrame(reader);
      return marker >= firstArithmeticMarker ? Infinity : sizeBytes * jpegPixelsPerByte;
    }
    case 'bmp':
      return mostPixelsOfBmp(reader);
    case 'tiff':
      return mostPixelsOfTiff(reader, header);
    case 'gif':
      return sizeBytes * lzwRatio;
    case 'webp':
    case 'avif':
      return sizeBytes * predictedRatio;
  }
}

/** Stored samples per pixel; a palette's pixel is one number. */
const pngSamples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

async function mostPixelsOfPng(reader: HeaderReader): Promise<number> {
  const head = await reader.at(0, 33);
  const bitsPerPixel = (head[24] ?? 8) * (pngSamples[head[25] ?? 0] ?? 1);
  return (reader.sizeBytes * deflateRatio * 8) / Math.max(1, bitsPerPixel);
}

const bmpHeader = { pixelOffset: 10, headerBytes: 14, coreBits: 24, bits: 28, compression: 30 } as const;
const coreHeaderBytes = 12;

async function mostPixelsOfBmp(reader: HeaderReader): Promise<number> {
  const head = await reader.at(0, 34);
  if (head.length < 34) return 0;
  const isCore = head.readUInt32LE(bmpHeader.headerBytes) === coreHeaderBytes;
  const isRunLength = !isCore && [1, 2].includes(head.readUInt32LE(bmpHeader.compression));
  const held = Math.max(0, reader.sizeBytes - head.readUInt32LE(bmpHeader.pixelOffset));
  const bits = head.readUInt16LE(isCore ? bmpHeader.coreBits : bmpHeader.bits);
  return isRunLength ? held * rlePixelsPerByte : (held * 8) / Math.max(1, bits);
}

const tiffTag = {
  compression: 259,
  stripOffsets: 273,
  samples: 277,
  stripBytes: 279,
  tileOffsets: 324,
  tileBytes: 325,
} as const;

/** Maximum expansion by number of the compression. */
const tiffRatios: Readonly<Record<number, number>> = {
  1: 1,
  5: lzwRatio,
  8: deflateRatio,
  32946: deflateRatio,
  32773: 64,
};
/** With more strips or tiles than this, only the size of the file decides. */
const maxParts = 1_000_000;

async function mostPixelsOfTiff(reader: HeaderReader, header: ImageHeader): Promise<number> {
  const page = await readTiffPage(reader);
  const isTiled = page.value(tiffTag.tileOffsets) !== undefined;
  const offsets = await page.list(isTiled ? tiffTag.tileOffsets : tiffTag.stripOffsets, maxParts);
  const sizes = await page.list(isTiled ? tiffTag.tileBytes : tiffTag.stripBytes, maxParts);
  const inFile = offsets.reduce(
    (sum, offset, index) => sum + Math.max(0, Math.min(sizes[index] ?? 0, reader.sizeBytes - offset)),
    0,
  );
  const held = offsets.length === maxParts ? reader.sizeBytes : Math.min(reader.sizeBytes, inFile);
  const compression = page.value(tiffTag.compression) ?? 1;
  // JPEG compression has the limits of a JPEG; for rare compressions no limit is known.
  const pixelBits =
    compression === 7 ? 8 / jpegPixelsPerByte : header.bitsPerChannel * (page.value(tiffTag.samples) ?? 1);
  const ratio = compression === 7 ? 1 : (tiffRatios[compression] ?? predictedRatio);
  return (held * ratio * 8) / Math.max(8 / jpegPixelsPerByte, pixelBits);
}
