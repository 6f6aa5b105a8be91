import { AppError } from '../../../platform/errors.ts';

const fileHeaderBytes = 14;
const infoHeaderBytes = 40;
const signature = 0x4d42;
const largestFile = 0xffff_ffff;

/** Rows are padded to multiples of 32 bits. */
function rowBytes(width: number, bitsPerPixel: number): number {
  return Math.ceil((width * bitsPerPixel) / 32) * 4;
}

/**
 * Encodes an uncompressed BMP with 24 bits per pixel. `colorAt` returns red · 65536 + green · 256 + blue, row by row.
 */
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
    // BMP stores the last row first.
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
