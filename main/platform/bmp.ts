/** Pixels of a decoded bitmap: 8-bit RGB rows from top to bottom without padding. */
export interface RgbPixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface BmpPixels extends RgbPixels {
  /** True if the file ends before its pixels do. */
  readonly isCut: boolean;
}

export function isBmp(bytes: Uint8Array): boolean {
  return bytes[0] === 0x42 && bytes[1] === 0x4d;
}

/** Reason why a BMP cannot be decoded; completes "x.bmp cannot be shown: …" and "the image cannot be read: …". */
export class BmpProblem extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BmpProblem';
  }
}

const compressionNames = ['none', 'RLE8', 'RLE4', 'bitfields', 'JPEG', 'PNG', 'alpha bitfields'];
const compression = { none: 0, rle8: 1, rle4: 2, bitfields: 3, alphaBitfields: 6 } as const;
const fileHeaderBytes = 14;
const coreHeaderBytes = 12;

interface BmpLayout {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bitsPerPixel: number;
  readonly compression: number;
  readonly pixelOffset: number;
  /** RGB triples. */
  readonly palette: Buffer;
  /** Bit masks of red, green and blue for 16 and 32 bits. */
  readonly masks: readonly [number, number, number];
}

/**
 * Decodes a Windows bitmap of 1, 4, 8, 16, 24 or 32 bits: uncompressed, bit fields, RLE4 and RLE8. Missing pixels
 * (truncated, or skipped by RLE) stay black. Alpha is ignored, as in most viewers.
 *
 * @param maxPixels larger images are refused before decoding
 */
export function decodeBmp(bytes: Buffer, maxPixels = Infinity): BmpPixels {
  const layout = readLayout(bytes);
  const { width, height } = layout;
  if (!(width > 0 && height > 0)) throw new BmpProblem('it has no pixels');
  if (width * height > maxPixels) throw new BmpProblem(`it has ${width} × ${height} pixels, more than ${maxPixels}`);
  const data = Buffer.alloc(width * height * 3);
  const hasRuns = layout.compression === compression.rle8 || layout.compression === compression.rle4;
  const isWhole = hasRuns ? decodeRunLengths(bytes, layout, data) : decodeRows(bytes, layout, data);
  return { data, width, height, isCut: !isWhole };
}

function readLayout(bytes: Buffer): BmpLayout {
  if (bytes.length < fileHeaderBytes + coreHeaderBytes) throw new BmpProblem('the file ends inside its header');
  const headerBytes = bytes.readUInt32LE(14);
  const isCore = headerBytes === coreHeaderBytes;
  if (!isCore && (headerBytes < 40 || bytes.length < fileHeaderBytes + 40)) {
    throw new BmpProblem('its header has an unknown format');
  }
  const bitsPerPixel = bytes.readUInt16LE(isCore ? 24 : 28);
  const method = isCore ? compression.none : bytes.readUInt32LE(30);
  checkKind(bitsPerPixel, method);
  const height = isCore ? bytes.readUInt16LE(20) : bytes.readInt32LE(22);
  const hasMasks = method === compression.bitfields || method === compression.alphaBitfields;
  const masksInside = headerBytes >= 52;
  const paletteOffset =
    fileHeaderBytes + headerBytes + (hasMasks && !masksInside ? (method === compression.bitfields ? 12 : 16) : 0);
  return {
    width: isCore ? bytes.readUInt16LE(18) : bytes.readInt32LE(18),
    height: Math.abs(height),
    isTopDown: height < 0,
    bitsPerPixel,
    compression: method,
    pixelOffset: bytes.readUInt32LE(10),
    palette: readPalette(bytes, paletteOffset, isCore, bitsPerPixel),
    masks: hasMasks ? readMasks(bytes) : defaultMasks(bitsPerPixel),
  };
}

function checkKind(bitsPerPixel: number, method: number): void {
  const allowed: Readonly<Record<number, readonly number[]>> = {
    [compression.none]: [1, 4, 8, 16, 24, 32],
    [compression.rle8]: [8],
    [compression.rle4]: [4],
    [compression.bitfields]: [16, 32],
    [compression.alphaBitfields]: [16, 32],
  };
  if (allowed[method]?.includes(bitsPerPixel)) return;
  const name = compressionNames[method] ?? `number ${method}`;
  throw new BmpProblem(`a BMP of ${bitsPerPixel} bits with compression ${name} is not supported; save it as PNG`);
}

function readPalette(bytes: Buffer, offset: number, isCore: boolean, bitsPerPixel: number): Buffer {
  const palette = Buffer.alloc(256 * 3);
  if (bitsPerPixel > 8) return palette;
  const stated = isCore ? 0 : bytes.readUInt32LE(46);
  const count = Math.min(stated === 0 ? 2 ** bitsPerPixel : stated, 256);
  const entryBytes = isCore ? 3 : 4;
  for (let index = 0; index < count && offset + index * entryBytes + 3 <= bytes.length; index += 1) {
    const entry = offset + index * entryBytes;
    palette[index * 3] = bytes[entry + 2] ?? 0;
    palette[index * 3 + 1] = bytes[entry + 1] ?? 0;
    palette[index * 3 + 2] = bytes[entry] ?? 0;
  }
  return palette;
}

/** Bit fields follow the first 40 bytes, either inside a longer header or after a short one. */
function readMasks(bytes: Buffer): [number, number, number] {
  if (bytes.length < 66) throw new BmpProblem('the file ends inside its header');
  return [bytes.readUInt32LE(54), bytes.readUInt32LE(58), bytes.readUInt32LE(62)];
}

function defaultMasks(bitsPerPixel: number): [number, number, number] {
  return bitsPerPixel === 16 ? [0x7c00, 0x03e0, 0x001f] : [0xff0000, 0x00ff00, 0x0000ff];
}

/** Extracts one channel from a pixel and stretches it over 0–255. */
function channelReader(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const maximum = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / maximum);
}

/** False if the file is truncated. */
function decodeRows(bytes: Buffer, layout: BmpLayout, data: Buffer): boolean {
  const { width, height, bitsPerPixel } = layout;
  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4;
  const decodeRow = rowDecoder(bytes, layout, data);
  for (let row = 0; row < height; row += 1) {
    const start = layout.pixelOffset + row * rowBytes;
    const pixels = Math.min(width, Math.floor(((bytes.length - start) * 8) / bitsPerPixel));
    if (pixels <= 0) return false;
    decodeRow(start, (layout.isTopDown ? row : height - 1 - row) * width * 3, pixels);
    if (pixels < width) return false;
  }
  return true;
}

type RowDecoder = (start: number, target: number, pixels: number) => void;

function rowDecoder(bytes: Buffer, layout: BmpLayout, data: Buffer): RowDecoder {
  const { bitsPerPixel } = layout;
  if (bitsPerPixel <= 8) return paletteRowDecoder(bytes, layout, data);
  if (bitsPerPixel === 24) {
    return (start, target, pixels) => {
      for (let from = start, to = target, end = start + pixels * 3; from < end; from += 3, to += 3) {
        data[to] = bytes[from + 2] ?? 0;
        data[to + 1] = bytes[from + 1] ?? 0;
        data[to + 2] = bytes[from] ?? 0;
      }
    };
  }
  const [red, green, blue] = layout.masks.map(channelReader);
  const pixelBytes = bitsPerPixel / 8;
  return (start, target, pixels) => {
    for (let index = 0; index < pixels; index += 1) {
      const at = start + index * pixelBytes;
      const pixel = pixelBytes === 2 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at);
      const to = target + index * 3;
      data[to] = red?.(pixel) ?? 0;
      data[to + 1] = green?.(pixel) ?? 0;
      data[to + 2] = blue?.(pixel) ?? 0;
    }
  };
}

function paletteRowDecoder(bytes: Buffer, { bitsPerPixel, palette }: BmpLayout, data: Buffer): RowDecoder {
  const pixelMask = 2 ** bitsPerPixel - 1;
  return (start, target, pixels) => {
    for (let index = 0; index < pixels; index += 1) {
      const bit = index * bitsPerPixel;
      const byte = bytes[start + (bit >> 3)] ?? 0;
      const entry = (byte >> (8 - bitsPerPixel - (bit & 7))) & pixelMask;
      palette.copy(data, target + index * 3, entry * 3, entry * 3 + 3);
    }
  };
}

/**
 * RLE4 and RLE8 as Windows defines them: pairs of count and value, with escapes for line end, end, jump and literals.
 * False if the file is truncated.
 */
function decodeRunLengths(bytes: Buffer, layout: BmpLayout, data: Buffer): boolean {
  const { width, height, palette, isTopDown } = layout;
  const isRle4 = layout.compression === compression.rle4;
  let x = 0;
  let y = 0;
  const put = (entry: number): void => {
    if (x < width && y < height) {
      palette.copy(data, ((isTopDown ? y : height - 1 - y) * width + x) * 3, entry * 3, entry * 3 + 3);
    }
    x += 1;
  };
  /** Pixel `index` of a run whose values start at `at`. */
  const valueOf = (at: number, index: number): number => {
    if (!isRle4) return bytes[at + index] ?? 0;
    const pair = bytes[at + (index >> 1)] ?? 0;
    return index % 2 === 0 ? pair >> 4 : pair & 15;
  };
  let at = layout.pixelOffset;
  while (at + 1 < bytes.length && y < height) {
    const count = bytes[at] ?? 0;
    const value = bytes[at + 1] ?? 0;
    at += 2;
    if (count > 0) {
      for (let index = 0; index < count; index += 1) put(isRle4 ? valueOf(at - 1, index % 2) : value);
    } else if (value === 0) {
      x = 0;
      y += 1;
    } else if (value === 1) {
      return true;
    } else if (value === 2) {
      x += bytes[at] ?? 0;
      y += bytes[at + 1] ?? 0;
      at += 2;
    } else {
      for (let index = 0; index < value; index += 1) put(valueOf(at, index));
      const usedBytes = isRle4 ? Math.ceil(value / 2) : value;
      at += usedBytes + (usedBytes % 2);
    }
  }
  // The end marker may be missing after the last pixel.
  return y >= height || (y === height - 1 && x >= width);
}
