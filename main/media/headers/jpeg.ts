import type { HeaderReader } from './header-reader.ts';
import { exifOrientation } from './exif.ts';
import { BrokenHeader, endsInHeader, type HeaderParser, type Orientation, UnsupportedImage } from './image-header.ts';

const startOfScan = 0xda;
const endOfImage = 0xd9;
const exifSegment = 0xe1;
const jpegLsFrame = 0xf7;
/** Real files have tens of segments; a file of empty ones must not block the parser. */
const maxSegments = 2000;
/** The first directory, which has the orientation, is at the start of the block. */
const exifBytes = 2048;
const pieceBytes = 65_536;

/** Markers without a length: restart markers, TEM, and a repeated start of image. */
function standsAlone(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;
}

/** C0–CF are frame headers, except the Huffman, arithmetic and reserved ones; so is that of JPEG-LS. */
function isFrameHeader(marker: number): boolean {
  if (marker === jpegLsFrame) return true;
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

export const parseJpeg: HeaderParser = async (reader) => {
  let orientation: Orientation | undefined;
  let offset = 2;
  for (let segment = 0; segment < maxSegments; segment += 1) {
    const head = await reader.at(offset, 10);
    if (head.length < 4) throw new BrokenHeader(endsInHeader);
    // A marker may follow any number of fill bytes, and some writers leave stray bytes between segments.
    if (head[0] !== 0xff || head[1] === 0xff) {
      offset += 1;
      continue;
    }
    const marker = head[1] ?? 0;
    if (standsAlone(marker)) {
      offset += 2;
      continue;
    }
    if (marker === startOfScan || marker === endOfImage) throw new BrokenHeader('it states no size');
    const length = head.readUInt16BE(2);
    if (isFrameHeader(marker)) {
      if (head.length < 9) throw new BrokenHeader(endsInHeader);
      requireReadable(marker, head[4] ?? 8);
      const height = head.readUInt16BE(5);
      // A height of 0 means that the height follows the first scan; the library can find it.
      if (height === 0) return null;
      return {
        format: 'jpeg',
        width: head.readUInt16BE(7),
        height,
        orientation: orientation ?? 1,
        pageCount: 1,
        bitsPerChannel: head[4] ?? 8,
        isComplete: await hasEnd(reader, offset + 2 + length),
      };
    }
    if (marker === exifSegment && orientation === undefined) {
      orientation = await orientationOf(reader, offset + 4, length - 2);
    }
    offset += 2 + Math.max(2, length);
  }
  return null;
};

/** Lossless coding: SOF3, 7, 11, 15, and JPEG-LS (F7). */
const lossless = new Set([0xc3, 0xc7, 0xcb, 0xcf, jpegLsFrame]);

function requireReadable(marker: number, bits: number): void {
  if (lossless.has(marker)) {
    const kind = marker === jpegLsFrame ? 'JPEG-LS' : 'lossless JPEG';
    throw new UnsupportedImage(`is a ${kind} image, which cannot be read here. Save it as PNG or TIFF`);
  }
  if (bits > 8) {
    throw new UnsupportedImage(
      `is a JPEG of ${bits} bits a channel, which cannot be read here. Save it as PNG or TIFF of 16 bits`,
    );
  }
}

async function orientationOf(reader: HeaderReader, offset: number, length: number): Promise<Orientation | undefined> {
  const block = await reader.at(offset, Math.min(length, exifBytes));
  if (block.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined;
  return exifOrientation(block.subarray(6));
}

/**
 * True if the image has an end marker, which is nearly always the last two bytes of the file. Cameras append previews
 * and videos with their own end markers, and the header may contain a preview too. In that case searches from the first
 * scan on, where the marker has no other meaning.
 */
async function hasEnd(reader: HeaderReader, afterFrameHeader: number): Promise<boolean> {
  const last = await reader.at(Math.max(0, reader.sizeBytes - 2), 2);
  if (last[0] === 0xff && last[1] === endOfImage) return true;
  const end = Buffer.from([0xff, endOfImage]);
  const start = await startOfScans(reader, afterFrameHeader);
  if (start === undefined) return false;
  // Pieces share one byte because a marker has two.
  for (let offset = start; offset < reader.sizeBytes - 1; offset += pieceBytes - 1) {
    if ((await reader.at(offset, pieceBytes)).includes(end)) return true;
  }
  return false;
}

async function startOfScans(reader: HeaderReader, from: number): Promise<number | undefined> {
  let offset = from;
  for (let segment = 0; segment < maxSegments; segment += 1) {
    const head = await reader.at(offset, 4);
    if (head.length < 4) return undefined;
    if (head[0] !== 0xff || head[1] === 0xff) offset += 1;
    else if (head[1] === startOfScan) return offset;
    else if (standsAlone(head[1] ?? 0)) offset += 2;
    else offset += 2 + Math.max(2, head.readUInt16BE(2));
  }
  return offset;
}
