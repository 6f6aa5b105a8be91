import { describe, expect, it } from 'vitest';
import { decodeBmp } from '../../../main/platform/bmp.ts';

interface Bitmap {
  readonly width: number;
  /** Negative: rows from top to bottom. */
  readonly height: number;
  readonly bits: number;
  readonly compression?: number;
  /** Blue, green, red, 0. */
  readonly palette?: readonly number[];
  readonly masks?: readonly number[];
  readonly pixels: readonly number[];
}

function bmp({ width, height, bits, compression = 0, palette = [], masks = [], pixels }: Bitmap): Buffer {
  const head = Buffer.alloc(54);
  const maskBytes = Buffer.alloc(masks.length * 4);
  for (const [index, mask] of masks.entries()) maskBytes.writeUInt32LE(mask, index * 4);
  head.write('BM', 'latin1');
  head.writeUInt32LE(54 + maskBytes.length + palette.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  head.writeUInt32LE(palette.length / 4, 46);
  return Buffer.concat([head, maskBytes, Buffer.from(palette), Buffer.from(pixels)]);
}

function rowsOf(bytes: Buffer): string[] {
  const { data, width, height } = decodeBmp(bytes);
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => data.toString('hex', (y * width + x) * 3, (y * width + x) * 3 + 3)).join(
      ' ',
    ),
  );
}

const redAndBlue = [0, 0, 255, 0, 255, 0, 0, 0];

describe('decodeBmp', () => {
  it('reads 24 and 32 bits, bottom-up and top-down', () => {
    const pixels = [0, 0, 255, 0, 255, 0, 9, 9, 255, 0, 0, 255, 255, 255, 9, 9];
    expect(rowsOf(bmp({ width: 2, height: 2, bits: 24, pixels }))).toEqual(['0000ff ffffff', 'ff0000 00ff00']);
    expect(rowsOf(bmp({ width: 2, height: -2, bits: 24, pixels }))).toEqual(['ff0000 00ff00', '0000ff ffffff']);
    expect(rowsOf(bmp({ width: 2, height: 1, bits: 32, pixels: [1, 2, 3, 0, 4, 5, 6, 255] }))).toEqual([
      '030201 060504',
    ]);
  });

  it('reads 1, 4 and 8 bits with a palette', () => {
    expect(rowsOf(bmp({ width: 3, height: 1, bits: 1, palette: redAndBlue, pixels: [0b0100_0000, 0, 0, 0] }))).toEqual([
      'ff0000 0000ff ff0000',
    ]);
    expect(rowsOf(bmp({ width: 3, height: 1, bits: 4, palette: redAndBlue, pixels: [0x01, 0x10, 0, 0] }))).toEqual([
      'ff0000 0000ff 0000ff',
    ]);
    expect(rowsOf(bmp({ width: 3, height: 1, bits: 8, palette: redAndBlue, pixels: [1, 0, 1, 0] }))).toEqual([
      '0000ff ff0000 0000ff',
    ]);
  });

  it('reads 16 and 32 bits by their bit fields', () => {
    expect(rowsOf(bmp({ width: 2, height: 1, bits: 16, pixels: [0x00, 0x7c, 0x1f, 0x00] }))).toEqual(['ff0000 0000ff']);
    const masks565 = [0xf800, 0x07e0, 0x001f];
    expect(
      rowsOf(bmp({ width: 2, height: 1, bits: 16, compression: 3, masks: masks565, pixels: [0xe0, 0x07, 0x00, 0xf8] })),
    ).toEqual(['00ff00 ff0000']);
    const swapped = [0x000000ff, 0x0000ff00, 0x00ff0000];
    expect(
      rowsOf(bmp({ width: 1, height: 1, bits: 32, compression: 3, masks: swapped, pixels: [1, 2, 3, 4] })),
    ).toEqual(['010203']);
    const high = [0xff000000, 0x00ff0000, 0x0000ff00];
    expect(rowsOf(bmp({ width: 1, height: 1, bits: 32, compression: 3, masks: high, pixels: [4, 3, 2, 1] }))).toEqual([
      '010203',
    ]);
  });

  it('reads RLE8 and RLE4 with literals, jumps and line ends', () => {
    const rle8 = [2, 1, 0, 0, 0, 3, 0, 1, 0, 0, 0, 1];
    expect(rowsOf(bmp({ width: 3, height: 2, bits: 8, compression: 1, palette: redAndBlue, pixels: rle8 }))).toEqual([
      'ff0000 0000ff ff0000',
      '0000ff 0000ff 000000',
    ]);
    const rle4 = [3, 0x01, 0, 0, 0, 2, 1, 0, 2, 0x11, 0, 1];
    expect(rowsOf(bmp({ width: 3, height: 2, bits: 4, compression: 2, palette: redAndBlue, pixels: rle4 }))).toEqual([
      '000000 0000ff 0000ff',
      'ff0000 0000ff ff0000',
    ]);
  });

  it('returns the existing part of a truncated file, and survives runs beyond the image', () => {
    expect(rowsOf(bmp({ width: 2, height: 2, bits: 24, pixels: [0, 0, 255] }))).toEqual([
      '000000 000000',
      'ff0000 000000',
    ]);
    expect(
      rowsOf(
        bmp({
          width: 1,
          height: 1,
          bits: 8,
          compression: 1,
          palette: redAndBlue,
          pixels: [255, 1, 0, 2, 255, 255, 9, 9],
        }),
      ),
    ).toEqual(['0000ff']);
  });

  it('names unsupported features', () => {
    expect(() => decodeBmp(bmp({ width: 1, height: 1, bits: 0, compression: 5, pixels: [] }))).toThrow(
      'compression PNG is not supported',
    );
    expect(() => decodeBmp(bmp({ width: 1, height: 1, bits: 7, pixels: [] }))).toThrow('7 bits');
  });
});
