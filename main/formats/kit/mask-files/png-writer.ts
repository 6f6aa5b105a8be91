import { crc32, deflateSync } from 'node:zlib';
import type { RgbColor } from '../../../../preload/contract/colors.ts';
import type { ImageSize } from '../task-data.ts';

/** Pixels are row-major, without padding. */
export type PngContent = ImageSize &
  (
    | { readonly kind: 'palette'; readonly pixels: Uint8Array; readonly palette: readonly RgbColor[] }
    | { readonly kind: 'grey8'; readonly pixels: Uint8Array }
    | { readonly kind: 'grey16'; readonly pixels: Uint16Array }
    /** One byte per pixel, 0 or another value. */
    | { readonly kind: 'bits'; readonly pixels: Uint8Array }
    /** Three bytes per pixel. */
    | { readonly kind: 'rgb'; readonly pixels: Uint8Array }
    /** Four bytes per pixel. */
    | { readonly kind: 'rgba'; readonly pixels: Uint8Array }
  );

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const colorTypes = { grey: 0, rgb: 2, palette: 3, rgba: 6 };

const formats = {
  palette: { colorType: colorTypes.palette, bitDepth: 8 },
  grey8: { colorType: colorTypes.grey, bitDepth: 8 },
  grey16: { colorType: colorTypes.grey, bitDepth: 16 },
  bits: { colorType: colorTypes.grey, bitDepth: 1 },
  rgb: { colorType: colorTypes.rgb, bitDepth: 8 },
  rgba: { colorType: colorTypes.rgba, bitDepth: 8 },
};

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

function header({ width, height, kind }: PngContent): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = formats[kind].bitDepth;
  data[9] = formats[kind].colorType;
  return chunk('IHDR', data);
}

const bytesPerPixel = { palette: 1, grey8: 1, grey16: 2, rgb: 3, rgba: 4 };

/** Rows, each after a zero byte (no filter). */
function rowsOf(content: PngContent): Buffer {
  const { width, height, kind, pixels } = content;
  const rowBytes = kind === 'bits' ? Math.ceil(width / 8) : width * bytesPerPixel[kind];
  const rows = Buffer.alloc(height * (rowBytes + 1));
  for (let y = 0; y < height; y += 1) {
    const target = y * (rowBytes + 1) + 1;
    const source = y * width;
    if (kind === 'bits') {
      for (let x = 0; x < width; x += 1) if (pixels[source + x] !== 0) rows[target + (x >> 3)]! |= 0x80 >> (x & 7);
    } else if (kind === 'grey16') {
      for (let x = 0; x < width; x += 1) rows.writeUInt16BE(pixels[source + x] ?? 0, target + 2 * x);
    } else rows.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes), target);
  }
  return rows;
}

/** Encodes exactly these values: no color profile, no gamma, palette in the given order. */
export function encodePng(content: PngContent): Buffer {
  const chunks = [signature, header(content)];
  if (content.kind === 'palette') chunks.push(chunk('PLTE', Uint8Array.from(content.palette.flat())));
  chunks.push(chunk('IDAT', deflateSync(rowsOf(content), { level: 6 })), chunk('IEND', new Uint8Array()));
  return Buffer.concat(chunks);
}

/** Encodes class or instance numbers as colors: with a palette if it has enough entries, else as RGB. */
export function encodePainted(
  { width, height }: ImageSize,
  indices: ArrayLike<number>,
  colorOf: (index: number) => RgbColor,
  count: number,
): Buffer {
  if (count <= 256) {
    const palette = Array.from({ length: count }, (_, index) => colorOf(index));
    return encodePng({ kind: 'palette', width, height, pixels: Uint8Array.from(indices), palette });
  }
  const colors = Array.from({ length: count }, (_, index) => colorOf(index));
  const pixels = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index += 1) {
    const color = colors[indices[index] ?? 0];
    if (color) pixels.set(color, index * 3);
  }
  return encodePng({ kind: 'rgb', width, height, pixels });
}
