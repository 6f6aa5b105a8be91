import type { HeaderReader } from './header-reader.ts';
import { toOrientation } from './exif.ts';
import { BrokenHeader, endsInHeader, type HeaderParser } from './image-header.ts';
import { type DirectoryValue, sampleLayoutOf } from './tiff-samples.ts';

const maxPages = 10_000;
const maxEntries = 4096;

const tag = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  stripOffsets: 273,
  orientation: 274,
  stripBytes: 279,
} as const;

interface ListPlace {
  readonly offset: number;
  readonly valueBytes: number;
  readonly count: number;
}

interface Layout {
  readonly little: boolean;
  readonly isBig: boolean;
}

/** Bytes of the TIFF value types that sizes use: BYTE, SHORT, LONG, LONG8. */
const integerBytes: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8 };

async function readStart(reader: HeaderReader): Promise<{ layout: Layout; first: number }> {
  const head = await reader.at(0, 16);
  if (head.length < 16) throw new BrokenHeader(endsInHeader);
  const little = head[0] === 0x49;
  const layout: Layout = { little, isBig: readNumber(head, 2, 2, little) === 43 };
  return { layout, first: layout.isBig ? readNumber(head, 8, 8, little) : readNumber(head, 4, 4, little) };
}

export const parseTiff: HeaderParser = async (reader) => {
  const { layout, first } = await readStart(reader);
  const directory = await readDirectory(reader, first, layout);
  if (directory === null) throw new BrokenHeader('its directory is outside the file');
  const width = directory.values.get(tag.width);
  const height = directory.values.get(tag.height);
  if (width === undefined || height === undefined) throw new BrokenHeader('it states no size');
  const value: DirectoryValue = (wanted) => directory.values.get(wanted);
  const stripEnd = (directory.values.get(tag.stripOffsets) ?? 0) + (directory.values.get(tag.stripBytes) ?? 0);
  return {
    format: 'tiff',
    width,
    height,
    orientation: toOrientation(directory.values.get(tag.orientation) ?? 1),
    pageCount: await countPages(reader, first, directory.next, layout),
    bitsPerChannel: directory.values.get(tag.bitsPerSample) ?? 1,
    isComplete: stripEnd <= reader.sizeBytes,
    samples: sampleLayoutOf(value),
  };
};

/** The entries of the first page: the first value of each, and all values of lists. */
export async function readTiffPage(reader: HeaderReader) {
  const { layout, first } = await readStart(reader);
  const directory = await readDirectory(reader, first, layout);
  const value = (tag: number): number | undefined => directory?.values.get(tag);
  return {
    value,
    async list(tag: number, atMost: number): Promise<number[]> {
      const place = directory?.lists.get(tag);
      if (!place) return [value(tag) ?? 0];
      const { offset, valueBytes } = place;
      const bytes = Buffer.from(await reader.at(offset, Math.min(place.count, atMost) * valueBytes));
      const count = Math.floor(bytes.length / valueBytes);
      return Array.from({ length: count }, (_, index) =>
        readNumber(bytes, index * valueBytes, valueBytes, layout.little),
      );
    },
  };
}

function readNumber(bytes: Buffer, at: number, size: number, little: boolean): number {
  if (at + size > bytes.length) return 0;
  if (size <= 6) return little ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  return Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
}

async function countPages(reader: HeaderReader, first: number, second: number, layout: Layout): Promise<number> {
  const seen = new Set([first]);
  let next = second;
  while (next !== 0 && !seen.has(next) && seen.size < maxPages) {
    seen.add(next);
    const directory = await readDirectory(reader, next, layout);
    if (directory === null) return seen.size - 1;
    next = directory.next;
  }
  return seen.size;
}

/** First value of each integer entry of a directory. Null if the directory is outside the file. */
async function readDirectory(reader: HeaderReader, offset: number, layout: Layout) {
  const { little, isBig } = layout;
  const countBytes = isBig ? 8 : 2;
  const entryBytes = isBig ? 20 : 12;
  const count = readNumber(await reader.at(offset, countBytes), 0, countBytes, little);
  if (offset < 8 || count === 0 || count > maxEntries) return null;
  const bodyBytes = count * entryBytes;
  const linkBytes = isBig ? 8 : 4;
  const body = Buffer.from(await reader.at(offset + countBytes, bodyBytes + linkBytes));
  if (body.length < bodyBytes) return null;
  const values = new Map<number, number>();
  const lists = new Map<number, ListPlace>();
  for (let entry = 0; entry < bodyBytes; entry += entryBytes) {
    const size = integerBytes[readNumber(body, entry + 2, 2, little)];
    if (size === undefined) continue;
    const items = readNumber(body, entry + 4, isBig ? 8 : 4, little);
    const valueAt = entry + (isBig ? 12 : 8);
    const fits = items * size <= (isBig ? 8 : 4);
    const pointer = fits ? 0 : readNumber(body, valueAt, isBig ? 8 : 4, little);
    const value = fits
      ? readNumber(body, valueAt, size, little)
      : readNumber(await reader.at(pointer, size), 0, size, little);
    const tagNumber = readNumber(body, entry, 2, little);
    values.set(tagNumber, value);
    if (items > 1) {
      const start = fits ? offset + countBytes + valueAt : pointer;
      lists.set(tagNumber, { offset: start, valueBytes: size, count: items });
    }
  }
  return { values, lists, next: readNumber(body, bodyBytes, linkBytes, little) };
}
