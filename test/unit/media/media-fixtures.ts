import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { pack } from 'tar-stream';
import { createZipWriter } from '../../../main/formats/io/zip-writer.ts';

export type Triple = readonly [number, number, number];

export function writeFiles(folder: string, files: Readonly<Record<string, Uint8Array | string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** An image with red, green, blue and white quarters, which distinguishes every rotation and reflection. */
export function quarters(width: number, height: number) {
  const colors = [
    [230, 20, 20],
    [20, 200, 20],
    [20, 20, 230],
    [250, 250, 250],
  ] as const;
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const color = colors[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? colors[0];
      data.set(color, (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

export function jpeg(width: number, height: number, orientation = 1): Promise<Buffer> {
  const image = quarters(width, height);
  return (orientation === 1 ? image : image.withMetadata({ orientation })).jpeg({ quality: 95 }).toBuffer();
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG with any header, and the given pixel rows (with their filter bytes) or none. */
export function pngFile(
  size: { width: number; height: number; bits: number; colorType: number },
  rows: Buffer = Buffer.alloc(0),
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size.width, 0);
  header.writeUInt32BE(size.height, 4);
  header[8] = size.bits;
  header[9] = size.colorType;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

export function png16(
  width: number,
  height: number,
  channels: 1 | 3,
  valueAt: (x: number, y: number, channel: number) => number,
) {
  const rowBytes = 1 + width * channels * 2;
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let item = 0; item < width * channels; item += 1) {
      const value = valueAt(Math.floor(item / channels), y, item % channels);
      rows.writeUInt16BE(value, y * rowBytes + 1 + item * 2);
    }
  }
  return pngFile({ width, height, bits: 16, colorType: channels === 1 ? 0 : 2 }, rows);
}

/** A single-channel TIFF with the given samples. `sampleFormat`: 1 unsigned, 2 signed, 3 float. */
export function tiffFile(
  width: number,
  height: number,
  samples: Uint16Array | Uint32Array | Float32Array,
  sampleFormat = 1,
  orientation = 1,
) {
  const body = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const short = 3;
  const long = 4;
  const entries: [number, number, number][] = [
    [256, long, width],
    [257, long, height],
    [258, short, samples.BYTES_PER_ELEMENT * 8],
    [259, short, 1],
    [262, short, 1],
    [273, long, 8],
    [274, short, orientation],
    [277, short, 1],
    [278, long, height],
    [279, long, body.length],
    [339, short, sampleFormat],
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(1, at + 4);
    directory.writeUInt32LE(value, at + 8);
  }
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(8 + body.length, 4);
  return Buffer.concat([head, body, directory]);
}

/** A 54-byte bitmap header without pixels. */
export function bmpHeader(width: number, height: number): Buffer {
  const head = Buffer.alloc(54);
  head.write('BM', 'latin1');
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(24, 28);
  return head;
}

/** A GIF with one frame of one colour, independent of the size in its header. */
export function gifFile(width: number, height: number, frames = 1): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\u0080\0\0', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const palette = Buffer.from([10, 200, 30, 0, 0, 0]);
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]);
  return Buffer.concat([head, palette, ...Array.from({ length: frames }, () => image), Buffer.from([0x3b])]);
}

export async function zipFile(path: string, entries: Readonly<Record<string, Uint8Array | string>>): Promise<string> {
  const zip = await createZipWriter(path);
  for (const [name, content] of Object.entries(entries)) await zip.add(name, content);
  await zip.finish();
  return path;
}

export async function tarFile(entries: Readonly<Record<string, Uint8Array>>): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(entries)) tar.entry({ name }, Buffer.from(content));
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

export async function colorsAt(image: Uint8Array, places: readonly (readonly [number, number])[]): Promise<Triple[]> {
  const { data, info } = await sharp(image).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return places.map(([x, y]) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const gray = data[at] ?? 0;
    return info.channels < 3 ? [gray, gray, gray] : [gray, data[at + 1] ?? 0, data[at + 2] ?? 0];
  });
}

/** The strongest channel at each quarter, for images from {@link quarters}. */
export async function quarterColors(image: Uint8Array): Promise<string> {
  const colors = await colorsAt(image, [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ]);
  return colors
    .map(([r, g, b]) => (r > 150 && g > 150 && b > 150 ? 'W' : r > 150 ? 'R' : g > 150 ? 'G' : b > 150 ? 'B' : '?'))
    .join('');
}
