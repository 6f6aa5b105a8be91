import type { Orientation } from './image-header.ts';

const orientationTag = 0x0112;
const short = 3;
const long = 4;

export function toOrientation(value: number): Orientation {
  // The check makes the cast true. Some files contain 0 and 9, which viewers treat as upright.
  return value >= 1 && value <= 8 ? (value as Orientation) : 1;
}

/**
 * The orientation that a TIFF structure (the payload of an EXIF block) states in its first directory; 1 without one.
 */
export function exifOrientation(tiff: Buffer): Orientation {
  const order = tiff.length >= 8 ? tiff.toString('latin1', 0, 2) : '';
  if (order !== 'II' && order !== 'MM') return 1;
  const little = order === 'II';
  const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = u32(4);
  if (directory + 2 > tiff.length) return 1;
  const count = u16(directory);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return 1;
    if (u16(entry) !== orientationTag) continue;
    const type = u16(entry + 2);
    if (type === short) return toOrientation(u16(entry + 8));
    return type === long ? toOrientation(u32(entry + 8)) : 1;
  }
  return 1;
}
