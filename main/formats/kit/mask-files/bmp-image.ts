import { AppError } from '../../../platform/errors.ts';
import type { MaskImage } from './read-image.ts';

const fileHeaderBytes = 14;
const infoHeaderBytes = 40;
const signature = 0x4d42;
const largestFile = 0xffff_ffff;

/** Rows are padded to whole words of 32 bits. */
function rowBytes(width: number, bitsPerPixel: number): number {
  return Math.ceil((width * bitsPerPixel) / 32) * 4;
}

export function isBmp(bytes: Uint8Array): boolean {
  return bytes.length >= 2 && bytes[0] === 0x42 && bytes[1] === 0x4d;
}

/** An uncompressed BMP of 24 bits a pixel; `colorAt` gives red · 65536 + green · 256 + blue, row by row. */
export function encodeBmp(width: number, height: number, colorAt: (index: number) => number): Buffer {
  const stride = rowBytes(width, 24);
  const offset = fileHeaderBytes + infoHeaderBytes;
  const size = offset + stride * height;
  if (size > largestFile)
    throw new AppError('invalid', `An image of ${width} × ${height} pixels is too large for BMP.`);
  const file = Buffer.alloc(size);
  file.writeUInt16LE(signature, 0);
  file.writeUInt32LE(size, 2);
  file.writeUInt32LE(offset, 10);
  file.writeUInt32LE(infoHeaderBytes, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  file.writeUInt32LE(stride * height, 34);
  for (let row = 0; row < height; row += 1) {
    // The last row stands first.
    let at = offset + (height - 1 - row) * stride;
    for (let column = 0; column < width; column += 1, at += 3) {
      const color = colorAt(row * width + column);
      file[at] = color & 255;
      file[at + 1] = (color >> 8) & 255;
      file[at + 2] = color >> 16;
    }
  }
  return file;
}

interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bitsPerPixel: number;
  readonly pixels: number;
  /** Where the colours of a palette begin, how many there are, and how many bytes each has. */
  readonly palette: { readonly at: number; readonly count: number; readonly step: number };
}

function unreadable(reason: string): AppError {
  return new AppError('invalid', `the image cannot be read: ${reason}.`);
}

function readHeader(bytes: Buffer, maxPixels: number): BmpHeader {
  if (bytes.length < fileHeaderBytes + 12) throw unreadable('it ends before it begins');
  const infoBytes = bytes.readUInt32LE(14);
  const isOld = infoBytes === 12;
  if (!isOld && (infoBytes < infoHeaderBytes || bytes.length < fileHeaderBytes + infoHeaderBytes))
    throw unreadable('it is no BMP that is known');
  const width = isOld ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const stated = isOld ? bytes.readUInt16LE(20) : bytes.readInt32LE(22);
  const bitsPerPixel = bytes.readUInt16LE(isOld ? 24 : 28);
  const compression = isOld ? 0 : bytes.readUInt32LE(30);
  const height = Math.abs(stated);
  if (!(width > 0 && height > 0)) throw unreadable('it has no pixels');
  if (width * height > maxPixels) throw unreadable(`it has ${width} × ${height} pixels, more than ${maxPixels}`);
  // Fields of bits say where the channels lie; with 32 bits every writer has them in the usual order.
  if (compression !== 0 && !(compression === 3 && bitsPerPixel === 32)) throw unreadable('it is a compressed BMP');
  if (![1, 4, 8, 24, 32].includes(bitsPerPixel)) throw unreadable(`it has ${bitsPerPixel} bits a pixel`);
  const used = isOld ? 0 : bytes.readUInt32LE(46);
  const most = bitsPerPixel <= 8 ? 2 ** bitsPerPixel : 0;
  const pixels = bytes.readUInt32LE(10);
  const palette = {
    at: fileHeaderBytes + infoBytes,
    count: used > 0 ? Math.min(used, most) : most,
    step: isOld ? 3 : 4,
  };
  const end = pixels + rowBytes(width, bitsPerPixel) * height;
  if (end > bytes.length || palette.at + palette.count * palette.step > bytes.length)
    throw unreadable('it ends before its pixels do');
  return { width, height, isTopDown: stated < 0, bitsPerPixel, pixels, palette };
}

/** Reads a BMP that is not compressed, with 1, 4, 8, 24 or 32 bits a pixel. Throws `AppError('invalid')`. */
export function decodeBmp(input: Uint8Array, maxPixels: number): MaskImage {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const { width, height, isTopDown, bitsPerPixel, pixels, palette } = readHeader(bytes, maxPixels);
  const stride = rowBytes(width, bitsPerPixel);
  const colorFrom = (at: number): number => bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
  const colors = Array.from({ length: palette.count }, (_, index) => colorFrom(palette.at + index * palette.step));
  const startOf = (row: number): number => pixels + (isTopDown ? row : height - 1 - row) * stride;
  const valueAt = (index: number): number => {
    const row = Math.floor(index / width);
    const column = index - row * width;
    if (bitsPerPixel >= 24) return colorFrom(startOf(row) + column * (bitsPerPixel / 8));
    const bit = column * bitsPerPixel;
    const shift = 8 - bitsPerPixel - (bit & 7);
    const number = (bytes[startOf(row) + (bit >> 3)]! >> shift) & (2 ** bitsPerPixel - 1);
    return colors[number] ?? 0;
  };
  return { width, height, isColor: true, valueAt };
}
